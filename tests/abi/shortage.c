/* Test 13: one allocation after the other fails, over every call of a host's way from the context to the result. The
 * call it hits answers OUT_OF_MEMORY and changes nothing: called again, it succeeds, and the result is right in the
 * end; the same for check and every report. All of it in silence. CPU device alone, because Dawn ends the process where
 * it gets no memory. usage: shortage [FIRST [LAST]]: which allocations, all by default. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph.h"
#include "harness.h"
#include "marked_new.h"
#include "mlp.h"

static long first_refused = 0, last_refused = 1000000;

typedef struct session {
  graph g;
  float y[MLP_Y];
  dbk_ctx* ctx;
  dbk_exec* exec;
  dbk_run* run;
  dbk_buffer* buffer;
} session;

/* y = gelu(x W + b), where asked with any number of rows, so that binding makes a plan too. */
static int any_rows;

static void describe(graph* g) {
  graph_init(g);
  const int64_t rows = any_rows ? DBK_DIM_SYMBOL(graph_symbol(g, "rows", 1, 8)) : MLP_ROWS;
  uint32_t x = graph_value(g, "x", DBK_F32, DIMS(rows, MLP_IN));
  uint32_t w = graph_data(g, "weight", DBK_ORIGIN_PARAM, DBK_F32, 2, mlp_w_dims, mlp_w, sizeof mlp_w, DBK_COPY);
  uint32_t b = graph_data(g, "bias", DBK_ORIGIN_PARAM, DBK_F32, 1, mlp_b_dims, NULL, 0, 0);
  uint32_t product = graph_value(g, "product", DBK_DTYPE_NONE, 0, NULL),
           sum = graph_value(g, "sum", DBK_DTYPE_NONE, 0, NULL);
  uint32_t y = graph_value(g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(g, "MatMul", IDS(x, w), IDS(product));
  graph_node(g, "Add", IDS(product, b), IDS(sum));
  graph_node(g, "Gelu", IDS(sum), IDS(y));
  graph_inputs(g, 0, IDS(x));
  graph_outputs(g, 0, IDS(y));
}

static dbk_status create(session* s) {
  dbk_host host = host_desc();
  return api->ctx_create(&host, NULL, &s->ctx, ERR);
}

static dbk_status compile(session* s) {
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &s->g.tables, .device = 0};
  return api->compile(s->ctx, &desc, &s->exec, ERR);
}

static dbk_status set_param(session* s) {
  dbk_tensor b = tensor_of(DBK_F32, 1, mlp_b_dims, mlp_b, sizeof mlp_b, DBK_COPY);
  return api->set_param(s->exec, 1, &b, ERR);
}

static dbk_status ready(session* s) { return api->exec_ready(s->exec, NULL, ERR); }

static dbk_status run_create(session* s) { return api->run_create(s->exec, NULL, &s->run, ERR); }

static dbk_status set_dim(session* s) { return any_rows ? api->run_set_dim(s->run, 0, MLP_ROWS, ERR) : DBK_OK; }

static dbk_status bind_input(session* s) {
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  return api->run_bind(s->run, DBK_INPUT, 0, &x, ERR);
}

static dbk_status buffer_create(session* s) {
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .device = 0, .byte_len = sizeof s->y};
  return api->buffer_create(s->ctx, &desc, &s->buffer, ERR);
}

static dbk_status bind_output(session* s) {
  const int64_t dims[] = {MLP_ROWS, MLP_OUT};
  dbk_tensor y = tensor_of(DBK_F32, 2, dims, NULL, sizeof s->y, DBK_UNTIL_DESTROY);
  y.buffer = s->buffer;
  return api->run_bind(s->run, DBK_OUTPUT, 0, &y, ERR);
}

static dbk_status run(session* s) { return api->run(s->run, NULL, NULL, ERR); }

static dbk_status run_and_wait(session* s) {
  dbk_event* done = NULL;
  dbk_status status = api->run(s->run, NULL, &done, ERR);
  if (status == DBK_OK) status = api->event_wait(done, DBK_WAIT_FOREVER, ERR);
  api->event_destroy(done);
  return status;
}

static dbk_status read_output(session* s) {
  dbk_copy copy = {.byte_len = sizeof s->y, .dst = s->y};
  return api->read(s->run, &copy, 1, sizeof copy, NULL, ERR);
}

static const struct step {
  const char* name;
  dbk_status (*call)(session*);
} steps[] = {{"ctx_create", create},
             {"compile", compile},
             {"set_param", set_param},
             {"exec_ready", ready},
             {"run_create", run_create},
             {"run_set_dim", set_dim},
             {"run_bind input", bind_input},
             {"run", run},
             {"read", read_output},
             {"buffer_create", buffer_create},
             {"run_bind output", bind_output},
             {"run with an event", run_and_wait},
             {"read of a buffer", read_output},
             {"set_param again", set_param},
             {"exec_ready again", ready},
             {"run after a replacement", run},
             {"read after a replacement", read_output}};

/* One session in which allocation `refused` fails, counted from the first call. Returns the call it hit, or NULL where
 * there were fewer. */
static const char* session_with_shortage(long refused) {
  static session s;
  const char* hit = NULL;
  char text[9000];
  memset(&s, 0, sizeof s);
  describe(&s.g);
  marked_refuse_one(refused);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    dbk_status status = steps[i].call(&s);
    if (status != DBK_OK) {
      snprintf(text, sizeof text, "allocation %ld, %s: %s", refused, steps[i].name, status_name(status));
      TEST_ASSERT_TRUE_MESSAGE(is_failure(status, DBK_OUT_OF_MEMORY, "memory", err), text);
      TEST_ASSERT_NULL_MESSAGE(hit, text);
      hit = steps[i].name;
      status = steps[i].call(&s);
      snprintf(text, sizeof text, "allocation %ld, %s again: %s", refused, steps[i].name, status_name(status));
      TEST_ASSERT_EQUAL_INT32_MESSAGE(DBK_OK, status, text);
    }
  }
  const int reached = marked_refuse_one(-1);
  snprintf(text, sizeof text, "allocation %ld, result", refused);
  TEST_ASSERT_EQUAL_INT_MESSAGE(-1, mlp_wrong(s.y), text);
  api->run_destroy(s.run);
  api->buffer_destroy(s.buffer);
  api->exec_destroy(s.exec);
  api->ctx_destroy(s.ctx);
  return reached ? hit ? hit : "none: it was made do without" : NULL;
}

/* While listening, what anybody prints ends in a file instead of stdout and stderr. */
static FILE* heard;
static int out_fd, err_fd;

static void start_listening(void) {
  fflush(NULL);
  heard = tmpfile();
  out_fd = dup(STDOUT_FILENO), err_fd = dup(STDERR_FILENO);
  dup2(fileno(heard), STDOUT_FILENO), dup2(fileno(heard), STDERR_FILENO);
}

static void stop_listening(char* text, size_t cap) {
  if (heard == NULL) return;
  fflush(NULL);
  dup2(out_fd, STDOUT_FILENO), dup2(err_fd, STDERR_FILENO);
  close(out_fd), close(err_fd);
  rewind(heard);
  text[fread(text, 1, cap - 1, heard)] = '\0';
  fclose(heard);
  heard = NULL;
}

static void every_allocation_may_fail(void) {
  char printed[9000];
  long refused = first_refused, changes[64];
  const char *hit, *hits[64] = {""};
  int count = 0;
  session_with_shortage(-1); /* fills caches of the process */
  start_listening();
  for (; refused <= last_refused && (hit = session_with_shortage(refused)) != NULL; ++refused)
    if (strcmp(hit, hits[count]) != 0 && count + 1 < 64) hits[++count] = hit, changes[count] = refused;
  stop_listening(printed, sizeof printed);
  for (int i = 1; i <= count; ++i) printf("from allocation %ld: %s\n", changes[i], hits[i]);
  TEST_ASSERT_EQUAL_STRING("", printed);
  printf("%ld allocations\n", refused - first_refused);
  TEST_ASSERT_GREATER_THAN_INT(100, refused);
  TEST_ASSERT_EQUAL_UINT64(0, marked_now().strangers);
}

static session asked; /* what is reported on */
static const char* kind;

static dbk_status check(dbk_text** text) {
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &asked.g.tables, .device = 0};
  return api->check(asked.ctx, &desc, text, ERR);
}

static dbk_status report(dbk_text** text) {
  const char* const of_context[] = {"device", "options", "ops"};
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .exec = asked.exec, .kind = str_of(kind)};
  for (size_t i = 0; i < 3; ++i)
    if (strcmp(kind, of_context[i]) == 0) desc.ctx = asked.ctx, desc.exec = NULL;
  return api->report(&desc, text, ERR);
}

/* Refuses one allocation of a call after the other, until there are no more. */
static void text_with_shortage(const char* name, dbk_status (*call)(dbk_text**), int least) {
  char message[9000];
  int refused = 0;
  for (int reached = 1; reached; ++refused) {
    dbk_text* text = NULL;
    marked_refuse_one(refused);
    const dbk_status status = call(&text);
    reached = marked_refuse_one(-1);
    snprintf(message, sizeof message, "allocation %d of %s: %s", refused, name, status_name(status));
    if (status != DBK_OK) TEST_ASSERT_TRUE_MESSAGE(is_failure(status, DBK_OUT_OF_MEMORY, "memory", err), message);
    TEST_ASSERT_TRUE_MESSAGE(reached || status == DBK_OK, message);
    api->text_destroy(text);
  }
  TEST_ASSERT_GREATER_THAN_INT_MESSAGE(least, refused, name);
}

static void every_text_may_fail(void) {
  const char* const kinds[] = {"device", "options", "ops", "plan", "placement", "schedule", "stats"};
  memset(&asked, 0, sizeof asked);
  describe(&asked.g);
  OK(create(&asked));
  OK(compile(&asked));
  text_with_shortage("check", check, 100);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    kind = kinds[i];
    text_with_shortage(kind, report, 5);
  }
  api->exec_destroy(asked.exec);
  api->ctx_destroy(asked.ctx);
}

static void every_allocation_may_fail_with_any_rows(void) {
  any_rows = 1;
  every_allocation_may_fail();
}

void setUp(void) {}
void tearDown(void) {
  char printed[9000] = "";
  marked_refuse_one(-1);
  stop_listening(printed, sizeof printed);
  fputs(printed, stdout); /* the message of a check that failed meanwhile */
}

int main(int argc, char** argv) {
  if (argc > 1) first_refused = atol(argv[1]);
  if (argc > 2) last_refused = atol(argv[2]);
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(every_allocation_may_fail);
  RUN_TEST(every_allocation_may_fail_with_any_rows);
  RUN_TEST(every_text_may_fail);
  return UNITY_END();
}
