#include "CSwiftRuntime.h"

#include <string.h>

static _Thread_local void *threadQueue;

void *CSwiftThreadQueue(void) { return threadQueue; }

void CSwiftSetThreadQueue(void *queue) { threadQueue = queue; }

void CSwiftReadArguments(va_list list, const char *kinds, size_t count, uint64_t *values) {
    for (size_t index = 0; index < count; index++) {
        switch (kinds[index]) {
        case 'p': values[index] = (uint64_t)(uintptr_t)va_arg(list, void *); break;
        case 'i': values[index] = (uint64_t)(int64_t)va_arg(list, int); break;
        case 'd': {
            double number = va_arg(list, double);
            memcpy(&values[index], &number, sizeof number);
            break;
        }
        default: values[index] = va_arg(list, uint64_t);
        }
    }
}
