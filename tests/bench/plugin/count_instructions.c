/* A QEMU plugin that counts the guest's executed instructions by the symbol they lie in. Exact, the same in
   every run. qemu-system-arm ... -plugin libcount_instructions.so,out=FILE FILE gets a line "COUNT SYMBOL" a
   symbol, in no order. Builds without QEMU's header, for QEMU 7 to 10: cc -O2 -shared -fPIC -o
   libcount_instructions.so count_instructions.c */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin.h"

enum { kMaxSymbols = 8192 };

struct symbol {
  char* name;
  uint64_t count;                       /* generation 1 */
  struct qemu_plugin_scoreboard* score; /* generation 2 */
};

/* QEMU reads this before it calls anything, and refuses a plugin of the other generation. */
QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

static struct symbol symbols[kMaxSymbols];
static size_t symbol_count;
static const char* output_path;

__attribute__((constructor)) static void choose_generation(void) {
  if (qemu_plugin_scoreboard_new != NULL) qemu_plugin_version = 2;
}

static qemu_plugin_u64 entry_of(const struct symbol* symbol) {
  const qemu_plugin_u64 entry = {symbol->score, 0};
  return entry;
}

static struct symbol* find_symbol(const char* name) {
  size_t i = 0;
  while (i < symbol_count && strcmp(symbols[i].name, name) != 0) ++i;
  if (i == kMaxSymbols) {
    fputs("count_instructions: too many symbols\n", stderr);
    abort();
  }
  if (i == symbol_count) {
    symbols[i].name = strdup(name);
    if (qemu_plugin_scoreboard_new != NULL) symbols[i].score = qemu_plugin_scoreboard_new(sizeof(uint64_t));
    ++symbol_count;
  }
  return &symbols[i];
}

static void count(struct qemu_plugin_insn* instruction) {
  const char* name = qemu_plugin_insn_symbol(instruction);
  struct symbol* symbol = find_symbol(name != NULL ? name : "?");
  if (symbol->score != NULL) {
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(instruction, QEMU_PLUGIN_INLINE_ADD_U64,
                                                        entry_of(symbol), 1);
  } else {
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, QEMU_PLUGIN_INLINE_ADD_U64, &symbol->count, 1);
  }
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) count(qemu_plugin_tb_get_insn(block, i));
}

static void on_end(qemu_plugin_id_t id, void* data) {
  (void)id;
  (void)data;
  FILE* file = fopen(output_path, "w");
  if (file == NULL) {
    perror(output_path);
    return;
  }
  for (size_t i = 0; i < symbol_count; ++i) {
    const struct symbol* symbol = &symbols[i];
    const uint64_t n = symbol->score != NULL ? qemu_plugin_u64_sum(entry_of(symbol)) : symbol->count;
    fprintf(file, "%" PRIu64 " %s\n", n, symbol->name);
  }
  fclose(file);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t* info, int argc,
                                           char** argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "out=", 4) == 0) output_path = strdup(argv[i] + 4);
  }
  if (output_path == NULL) {
    fputs("count_instructions: no out=FILE\n", stderr);
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  qemu_plugin_register_atexit_cb(id, on_end, NULL);
  return 0;
}
