#include "CSwiftRuntime.h"

static _Thread_local void *threadQueue;

void *CSwiftThreadQueue(void) { return threadQueue; }

void CSwiftSetThreadQueue(void *queue) { threadQueue = queue; }

static _Thread_local bool threadFlag;

bool CSwiftThreadFlag(void) { return threadFlag; }

void CSwiftSetThreadFlag(bool flag) { threadFlag = flag; }
