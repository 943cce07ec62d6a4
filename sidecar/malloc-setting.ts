/**
 * How glibc keeps home's memory, as variables of its environment: they are read before the first line of the program runs, so whoever
 * starts home sets them (the container's file does it in words of its own). Other C libraries leave them alone. Called by service/unit.ts
 * and the start script.
 */
export const MALLOC_SETTING = Object.freeze({
  /** One arena: glibc would keep one a thread, which costs an idle home a tenth of its memory. */
  MALLOC_ARENA_MAX: '1',
  /**
   * Bytes from which a piece has pages of its own, which go back when it is freed. V8 works in pieces of 32 KiB: between small ones
   * that stay they would leave holes, which cost an idle home another 6 MB, and up to 16 where glibc moves the bound by itself.
   */
  MALLOC_MMAP_THRESHOLD_: '32768',
})
