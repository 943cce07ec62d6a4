/**
 * A fresh home for each request: a prepared state folder is copied and opened by the real process at a fixed moment. Must never
 * open the owner's own folder. Called by main.ts.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse, stringify, type TomlTable } from 'smol-toml'
import { keepChild } from '../../scripts/start/child.ts'
import { writeDemoConfig } from '../../scripts/start/demo-config.ts'
import { setDemoSecret } from '../../scripts/start/demo-secret.ts'
import { childEnvironment } from '../../scripts/start/environment.ts'
import { CHILD_SCRIPTS } from '../../scripts/start/leftovers.ts'
import { prepareState } from '../../scripts/start/state.ts'
import type { Link } from '../../sidecar/cli/line/link.ts'
import { createPrivateLink } from '../../sidecar/cli/line/private-link.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { defaultConfig } from '../../sidecar/config/config-edit.ts'
import { createTestClock } from '../../test/clock/clock.ts'
import type { Day } from './case.ts'
import { type Own, readOwn } from './own.ts'

/** Maximum time for a start, in ms. */
const START_WITHIN = 120_000
const LOOK_EVERY = 10
const GREETED_WITHIN = 10_000
/** Key of every run; fixed, because boundaries in prompts are derived from it. It seals invented data only. */
const KEY = Buffer.alloc(32, 7).toString('base64url')

export interface HomeInput extends Day {
  /** Origins of the demo's two servers. */
  readonly demo: { readonly google: string; readonly pages: string; readonly article: string }
  /** Entry of `[[models.providers]]`; null for none. */
  readonly provider: TomlTable | null
}

export interface FreshHome {
  readonly link: Link
  stop(): Promise<void>
}

export interface Homes {
  /** The owner's things in each fresh home, before the request. */
  readonly before: Own
  fresh(): Promise<FreshHome>
  remove(): void
}

export async function prepareHomes({ now, timezone, demo, provider }: HomeInput): Promise<Homes> {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-evaluate-'))
  const first = join(folder, 'first')
  const paths = statePaths({ PFAR_HOME: first })
  const state = prepareState(paths)
  if (!state.ok) throw new Error(state.sentence)
  writeFileSync(join(first, 'dev.key'), KEY, { mode: 0o600 })
  const config = parse(defaultConfig())
  const models = provider === null ? {} : { models: { providers: [provider] } }
  const owner = { ...(config['owner'] as TomlTable), timezone }
  writeFileSync(paths.config, stringify({ ...config, ...models, owner }), { mode: 0o600 })
  writeDemoConfig(paths.config, paths.demoConfig, demo)
  const secret = await setDemoSecret({ paths, google: demo.google, ask: async () => null })
  if (!secret.ok) throw new Error(secret.sentence)
  const before = await greeted(await openHome(first, now))
  let count = 0
  return {
    before,
    async fresh() {
      count += 1
      const copy = join(folder, String(count))
      cpSync(first, copy, { recursive: true })
      const home = await openHome(copy, now)
      return {
        link: home.link,
        async stop() {
          await home.stop()
          rmSync(copy, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
        },
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  }
}

/** Starts the prepared home once, which creates its database and greets the owner, so that no request includes that. */
async function greeted({ link, stop }: FreshHome): Promise<Own> {
  await link.deliveries(0, GREETED_WITHIN)
  const own = await readOwn(link)
  await stop()
  return own
}

async function openHome(root: string, now: number): Promise<FreshHome> {
  const paths = statePaths({ PFAR_HOME: root })
  const clock = createTestClock({ at: now }, root)
  const steady = `--import=${new URL('steady.ts', import.meta.url).href}`
  const child = keepChild({
    name: 'home',
    command: [CHILD_SCRIPTS.home],
    environment: childEnvironment(process.env, {
      ...{ PFAR_HOME: root, PFAR_CONFIG_PATH: paths.demoConfig },
      ...{ ...clock.env, NODE_OPTIONS: `${clock.env.NODE_OPTIONS} ${steady}` },
    }),
    log: join(root, 'home.log'),
    onCrash: () => undefined,
  })
  const link = createPrivateLink(paths.socket)
  for (const end = performance.now() + START_WITHIN; ; await pause(LOOK_EVERY)) {
    if ((await link.status()).ok) break
    if (performance.now() > end || !child.running()) throw new Error(`home did not start: ${root}/home.log`)
  }
  return {
    link,
    async stop() {
      link.close()
      await child.stop()
      clock.remove()
    },
  }
}
