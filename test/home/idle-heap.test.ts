/** Home gives memory back when it is idle; nobody has to ask for more first. */
import { expect, it } from 'vitest'
import { watchIdleHeap } from '../../sidecar/idle-heap.ts'

const WASTE = 40 * 1_048_576

function heldBytes(): number {
  return process.memoryUsage().heapUsed
}

/** Objects that live through small collections and are dropped then: only a big one finds them. */
function waste(): void {
  const kept: object[] = []
  const before = heldBytes()
  while (heldBytes() - before < WASTE)
    for (let n = 0; n < 10_000; n += 1) kept.push({ n, text: `waste ${n}` })
}

it('collects what work left behind, once there was none for a while', { timeout: 60_000 }, async () => {
  const heap = watchIdleHeap()
  try {
    waste()
    const after = heldBytes()
    await expect
      .poll(() => after - heldBytes(), { timeout: 20_000, interval: 100 })
      .toBeGreaterThan(WASTE / 2)
  } finally {
    heap.stop()
  }
})
