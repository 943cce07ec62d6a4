/** Home returns memory when it becomes idle, without further allocations. */
import { expect, it } from 'vitest'
import { watchIdleHeap } from '../../sidecar/process/heap.ts'

const WASTE = 40 * 1_048_576

function heldBytes(): number {
  return process.memoryUsage().heapUsed
}

/** Objects that survive minor collections and are then dropped: only a major one frees them. */
function waste(): void {
  const kept: object[] = []
  const before = heldBytes()
  while (heldBytes() - before < WASTE)
    for (let n = 0; n < 10_000; n += 1) kept.push({ n, text: `waste ${n}` })
}

it('garbage is collected after a while without work', { timeout: 60_000 }, async () => {
  const stop = watchIdleHeap()
  try {
    waste()
    const after = heldBytes()
    await expect
      .poll(() => after - heldBytes(), { timeout: 20_000, interval: 100 })
      .toBeGreaterThan(WASTE / 2)
  } finally {
    stop()
  }
})
