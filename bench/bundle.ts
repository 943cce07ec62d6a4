/** Size and start-up time of the edge's deployed bundle (DESIGN §9; the free plan takes 3 MiB). Called by bench/main.ts. */
import { randomBytes } from 'node:crypto'
import { atMost, type Figure } from './figures.ts'
import { bundle, start } from './runtime.ts'

const EDGE = { config: 'wrangler.toml', entry: 'worker/index.ts' }

export async function measureBundle(): Promise<readonly Figure[]> {
  const made = await bundle(EDGE)
  const key = (): string => randomBytes(32).toString('base64url')
  const runtime = await start(EDGE, made, {
    DEVICE_KEYS: '[]',
    EDGE_SEAL_KEY: key(),
    EDGE_TOKEN_KEY: key(),
    EDGE_NAME_KEY: key(),
    EDGE_SIGN_KEY: key(),
  })
  const begun = performance.now()
  await (await fetch(`${runtime.origin}/healthz`)).arrayBuffer()
  const first = performance.now() - begun
  await runtime.stop()
  made.remove()
  return [
    { name: 'edge bundle', value: made.size, unit: 'KiB' },
    {
      name: 'edge bundle, gzipped',
      value: made.gzipped,
      unit: 'KiB',
      bound: atMost(made.gzipped, 1_024, '≤ 1,024'),
    },
    { name: 'runtime start with it', value: runtime.startup, unit: 'ms' },
    { name: 'first request', value: first, unit: 'ms' },
  ]
}
