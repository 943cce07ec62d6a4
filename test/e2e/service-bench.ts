/**
 * A home without a model whose service is a scripted server: asked as its owner asks, and connected on a terminal. Holds no expectation. Called by the tests of
 * services.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Served } from '../kit/server.ts'
import { onTerminal } from './keys-bench.ts'
import { type Bench, createBench } from './terminal-bench.ts'

export interface ServiceBench {
  readonly bench: Bench
  /** What home answers. */
  reply(text: string): Promise<string>
  /** What `pfar connect` shows of a credential that is typed; `other`: of another service than the first. */
  connected(credential: string, other?: string): Promise<string>
}

/** Starts with the first test of a file, and ends with its last. */
export function serviceBench(
  service: string,
  serve: () => Promise<Served>,
  others: Readonly<Record<string, () => Promise<Served>>> = {},
): ServiceBench {
  const bench = createBench()
  const served: Served[] = []
  beforeAll(async () => {
    const tables: string[] = []
    for (const [name, start] of Object.entries({ [service]: serve, ...others })) {
      const one = await start()
      served.push(one)
      tables.push(`[services.${name}]\nbase_url = "${one.origin}"\n`)
    }
    const origins = served.map(({ origin }) => `"${origin}"`).join(', ')
    const text = `${tables.join('')}[network]\nexempt_origins = [${origins}]\n`
    writeFileSync(join(bench.folder, 'config.toml'), text, { mode: 0o600 })
    await bench.start('--no-demo', '--only', 'home')
  })
  afterAll(async () => {
    await bench.stop()
    await bench.remove()
    for (const one of served) await one.close()
  })
  return {
    bench,
    reply: async (text) => (await bench.ask(text)).report.reply ?? '',
    async connected(credential, other = service) {
      const env = { PFAR_HOME: bench.folder, NO_COLOR: '1' }
      const ran = onTerminal(`scripts/pfar.mjs connect ${other} --paste --allow-development-key`, env, [
        [new RegExp(`Credential for ${other}: $`), credential],
      ])
      await ran.ended
      return ran.shown()
    },
  }
}
