/** The edge's bundle as it is uploaded: its bound holds at every commit, and not only when the files that deploy have their turn. */
import { expect, it } from 'vitest'
import { bundle } from '../../bench/runtime.ts'

/** KiB, gzipped. */
const MOST = 1_024

it('is at most 1 MiB gzipped', async () => {
  const made = await bundle({ config: 'wrangler.toml', entry: 'worker/index.ts' })
  try {
    expect(made.gzipped).toBeLessThanOrEqual(MOST)
  } finally {
    made.remove()
  }
})
