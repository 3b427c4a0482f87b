// The door of C programs to a port that opens files by name: what each of them has in common. C++.
#pragma once

#include <new>

#include "microparquet/c/file.h"
#include "microparquet/c/status.h"
#include "microparquet/file.h"

namespace microparquet::c {

// `Memory` is the port's struct for C, which holds a Port in its `storage` once `is_made`.
template <typename Port, typename Memory>
class PortDoor {
 public:
  static_assert(sizeof(Port) <= sizeof(Memory::storage) && alignof(Port) <= 8);

  template <typename... Arguments>
  static mpq_status make(Memory* memory, Arguments&&... arguments) {
    if (memory == nullptr) return MPQ_INVALID_ARGUMENT;
    if (memory->is_made) return MPQ_WRONG_STATE;
    new (memory->storage) Port(arguments...);
    memory->is_made = true;
    return MPQ_OK;
  }

  template <typename Path>
  static mpq_status create(Memory* memory, const Path* path, bool overwrites, mpq_file** file) {
    return open(memory, path, file, [&](Port& port) {
      return port.create(path, overwrites ? Existing::kOverwrite : Existing::kRefuse);
    });
  }

  template <typename Path>
  static mpq_status open_for_append(Memory* memory, const Path* path, mpq_file** file) {
    return open(memory, path, file, [&](Port& port) { return port.open_for_append(path); });
  }

  template <typename Path>
  static mpq_status open_for_reading(Memory* memory, const Path* path, mpq_file** file) {
    return open(memory, path, file, [&](Port& port) { return port.open_for_reading(path); });
  }

  static mpq_status close(Memory* memory) {
    if (memory == nullptr) return MPQ_INVALID_ARGUMENT;
    return memory->is_made ? static_cast<mpq_status>(port_of(*memory).close()) : MPQ_OK;
  }

  // Returns the port; null: it has not been made.
  static const Port* find(const Memory* memory) {
    if (memory == nullptr || !memory->is_made) return nullptr;
    return std::launder(reinterpret_cast<const Port*>(memory->storage));
  }

  static bool limit_reached(const Memory* memory) {
    const Port* const port = find(memory);
    return port != nullptr && port->limit_reached();
  }

  // Closes a port that has memory of the system, and releases this memory.
  static mpq_status close_and_release(Memory* memory) {
    const mpq_status status = close(memory);
    if (memory != nullptr && memory->is_made) {
      port_of(*memory).~Port();
      new (memory->storage) Port;
    }
    return status;
  }

 private:
  static Port& port_of(Memory& memory) { return *std::launder(reinterpret_cast<Port*>(memory.storage)); }

  template <typename Path, typename Call>
  static mpq_status open(Memory* memory, const Path* path, mpq_file** file, Call call) {
    if (memory == nullptr || path == nullptr || file == nullptr) return MPQ_INVALID_ARGUMENT;
    if (!memory->is_made) return MPQ_WRONG_STATE;
    Port& port = port_of(*memory);
    *file = reinterpret_cast<mpq_file*>(static_cast<File*>(&port));
    return static_cast<mpq_status>(call(port));
  }
};

}  // namespace microparquet::c
