/* Test 6: the smallest library from which `abidw` sees every type of the ABI and nothing of the plugin: the entry
 * symbol, and a witness for the elements of graph tables, which the ABI itself reaches only through `const void*`. */
#include <daybreak.h>

dbk_status DBK_CALL dbk_entry(uint32_t host_abi_min, uint32_t host_abi_max, const dbk_api** out_api, char* why,
                              uint32_t why_cap) {
  (void)host_abi_min, (void)host_abi_max, (void)out_api, (void)why, (void)why_cap;
  return DBK_UNIMPLEMENTED;
}

DBK_EXPORT void dbk_table_elements(const dbk_value*, const dbk_node*, const dbk_attr*, const dbk_symbol*,
                                   const dbk_block*, const dbk_blob*, const dbk_slice*);
void dbk_table_elements(const dbk_value* value, const dbk_node* node, const dbk_attr* attr, const dbk_symbol* symbol,
                        const dbk_block* block, const dbk_blob* blob, const dbk_slice* slice) {
  (void)value, (void)node, (void)attr, (void)symbol, (void)block, (void)blob, (void)slice;
}
