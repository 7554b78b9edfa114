/* Where newer toolkits have it. */
#include "../nvToolsExt.h"
