// What glibc 2.28 lacks of what our objects call, for a wheel that is linked against its symbols (decision 20).
//
// The objects are compiled with the headers of the machine that builds, whose glibc is newer: they call these by names that
// 2.28 does not export.  Each stands here by the calls that 2.28 has.  Hidden: nothing outside the module sees them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

// Since 2.32 libstdc++ asks it whether atomic counts are needed.  0: they always are.
char __libc_single_threaded = 0;

// Functions since 2.33; before, inline calls of these with the version of the structure.
#if defined(__x86_64__)
enum { kStatVersion = 1 };
#else
enum { kStatVersion = 0 };
#endif
#pragma GCC visibility push(default)
extern int __fxstat(int version, int file, struct stat *found);
extern int __xstat(int version, const char *path, struct stat *found);
extern int __lxstat(int version, const char *path, struct stat *found);
extern int __fxstatat(int version, int directory, const char *path, struct stat *found, int flags);
extern int __cxa_atexit(void (*call)(void *), void *argument, void *module);
extern int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *module);
#pragma GCC visibility pop

int fstat(int file, struct stat *found) { return __fxstat(kStatVersion, file, found); }
int stat(const char *path, struct stat *found) { return __xstat(kStatVersion, path, found); }
int lstat(const char *path, struct stat *found) { return __lxstat(kStatVersion, path, found); }
int fstatat(int directory, const char *path, struct stat *found, int flags) {
  return __fxstatat(kStatVersion, directory, path, found, flags);
}

// By their second names, of the same structure on machines of 64 bits.
int fstat64(int file, struct stat64 *found) { return __fxstat(kStatVersion, file, (struct stat *)found); }
int stat64(const char *path, struct stat64 *found) { return __xstat(kStatVersion, path, (struct stat *)found); }
int lstat64(const char *path, struct stat64 *found) { return __lxstat(kStatVersion, path, (struct stat *)found); }
int fstatat64(int directory, const char *path, struct stat64 *found, int flags) {
  return __fxstatat(kStatVersion, directory, path, (struct stat *)found, flags);
}

// Functions of the static part of glibc, which is not linked: the second on aarch64 alone.
extern void *__dso_handle;
int atexit(void (*call)(void)) { return __cxa_atexit((void (*)(void *))(uintptr_t)call, NULL, __dso_handle); }
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
  return __register_atfork(before, parent, child, __dso_handle);
}

// Since 2.36; std::random_device asks for it.
unsigned arc4random(void) {
  unsigned number = 0;
  while (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
    if (errno != EINTR) abort();
  }
  return number;
}

// Since 2.30.
pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

// Since 2.30: the machine's own where it has one; else the wait ends at the same distance on the clock of the condition.
// Callers compare the time again, so a wall clock that is set meanwhile shortens or lengthens one wait.
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  typedef int (*Clockwait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  Clockwait own;
  *(void **)&own = dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
  if (own != NULL) return own(condition, mutex, clock, until);
  enum { kBillion = 1000000000 };
  struct timespec now, end;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += until->tv_sec - now.tv_sec;
  end.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (end.tv_nsec < 0) {
    end.tv_nsec += kBillion;
    --end.tv_sec;
  } else if (end.tv_nsec >= kBillion) {
    end.tv_nsec -= kBillion;
    ++end.tv_sec;
  }
  return pthread_cond_timedwait(condition, mutex, &end);
}
