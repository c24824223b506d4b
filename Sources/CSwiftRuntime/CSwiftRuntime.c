#include "CSwiftRuntime.h"

static _Thread_local void *threadQueue;

void *CSwiftThreadQueue(void) { return threadQueue; }

void CSwiftSetThreadQueue(void *queue) { threadQueue = queue; }
