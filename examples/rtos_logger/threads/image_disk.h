// FatFs's drive 0: the image of a card, a file.
#pragma once

namespace image_disk {

// Call it before f_mount(). False: there is no image, or it cannot be written.
bool open(const char* path);

}  // namespace image_disk
