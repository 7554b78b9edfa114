/* A stop-watch of the host, by the names of NVIDIA's samples; times in milliseconds. */
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_

#include <stddef.h>
#include <time.h>

struct StopWatchInterface {
    double total, began;
    int sessions;
    bool running;

    static double now()
    {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
    }
    void start()
    {
        began = now();
        running = true;
    }
    void stop()
    {
        total += now() - began;
        sessions++;
        running = false;
    }
    /* A watch that runs goes on, from 0. */
    void reset()
    {
        total = 0;
        sessions = 0;
        began = now();
    }
    /* Of a watch that runs: up to now. */
    float getTime()
    {
        return (float)(total + (running ? now() - began : 0));
    }
    float getAverageTime()
    {
        return sessions > 0 ? (float)(total / sessions) : 0;
    }
};

/* These are true where the watch is there. */
inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = new StopWatchInterface();
    return true;
}

inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    delete *timer;
    *timer = NULL;
    return true;
}

inline bool sdkStartTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->start();
    return *timer != NULL;
}

inline bool sdkStopTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->stop();
    return *timer != NULL;
}

inline bool sdkResetTimer(StopWatchInterface **timer)
{
    if (*timer)
        (*timer)->reset();
    return *timer != NULL;
}

inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    return *timer ? (*timer)->getTime() : -1;
}

inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return *timer ? (*timer)->getAverageTime() : 0;
}
#endif
