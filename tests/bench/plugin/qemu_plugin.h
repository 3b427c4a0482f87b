/* The few calls of QEMU's plugin interface that are used here. Debian 12 packages no header for it; the
   emulator exports the functions. Those that only one of the two known generations has are weak: null in the
   other.

   Generation 1: QEMU 6 to 8 (Debian 12). Generation 2: QEMU 9 and later (Debian 13), where counters are
   scoreboards. */
#ifndef MICROPARQUET_QEMU_PLUGIN_H
#define MICROPARQUET_QEMU_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))
#define QEMU_PLUGIN_ONE_GENERATION __attribute__((weak))

typedef uint64_t qemu_plugin_id_t;

struct qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;

typedef struct {
  struct qemu_plugin_scoreboard* score;
  size_t offset;
} qemu_plugin_u64;

enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 = 0 };

typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb* tb);
typedef void (*qemu_plugin_udata_cb_t)(qemu_plugin_id_t id, void* userdata);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t cb, void* userdata);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* tb);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* tb, size_t idx);
const char* qemu_plugin_insn_symbol(const struct qemu_plugin_insn* insn);

/* Generation 1. */
QEMU_PLUGIN_ONE_GENERATION void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn* insn,
                                                                           enum qemu_plugin_op op, void* ptr,
                                                                           uint64_t imm);

/* Generation 2. */
QEMU_PLUGIN_ONE_GENERATION struct qemu_plugin_scoreboard* qemu_plugin_scoreboard_new(size_t element_size);
QEMU_PLUGIN_ONE_GENERATION void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
    struct qemu_plugin_insn* insn, enum qemu_plugin_op op, qemu_plugin_u64 entry, uint64_t imm);
QEMU_PLUGIN_ONE_GENERATION uint64_t qemu_plugin_u64_sum(qemu_plugin_u64 entry);

#endif
