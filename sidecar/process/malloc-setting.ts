/**
 * Environment variables that configure glibc's allocator for home. glibc reads them before the program starts, so
 * whoever starts home sets them (the container file has its own copy). Other C libraries ignore them. Called by
 * service/unit.ts and the start script.
 */
export const MALLOC_SETTING = Object.freeze({
  /** One arena. By default glibc keeps one per thread, which costs an idle home a tenth of its memory. */
  MALLOC_ARENA_MAX: '1',
  /**
   * Bytes from which an allocation gets its own pages, returned when it is freed. V8 allocates in units of 32 KiB; on
   * the heap, small long-lived blocks between them would keep freed memory resident: 6 MB in an idle home, and up to 16
   * MB if glibc adjusts the threshold itself.
   */
  MALLOC_MMAP_THRESHOLD_: '32768',
})
