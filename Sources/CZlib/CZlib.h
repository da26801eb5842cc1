// zlib as the system installed it: raw deflate and inflate for blocks.
#pragma once
#include <zlib.h>
