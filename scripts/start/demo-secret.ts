/**
 * Stores the token of the demo's account as a secret before home starts, so that the demo's mail and calendar work like
 * a real account. The token gives access to the emulator only. Called by scripts/start/bring-up.ts.
 */
import { randomBytes } from 'node:crypto'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import type { AskPassphrase } from '../../sidecar/keys/custody.ts'
import { refusalDetail } from '../../sidecar/process/start-sentence.ts'
import { atService } from '../../sidecar/secrets/open-offers.ts'
import { DEMO_SECRET } from './demo-config.ts'
import { done, type Outcome, trouble } from './outcome.ts'

/** Length of the token, in bytes. */
const TOKEN_BYTES = 24

export interface DemoSecretInput {
  readonly paths: StatePaths
  /** Origin of the emulator. */
  readonly google: string
  readonly ask: AskPassphrase
}

/** Stored only if there is none, or if the emulator's port has changed. */
export async function setDemoSecret({ paths, google, ask }: DemoSecretInput): Promise<Outcome<true>> {
  const env = { ...process.env, PFAR_HOME: paths.root, PFAR_CONFIG_PATH: paths.demoConfig }
  const { host } = new URL(google)
  const set = await atService({ env, ask }, async (desk) => {
    const known = desk.list().find(({ name }) => name === DEMO_SECRET)
    if (known?.hosts.includes(host)) return { ok: true, value: known }
    const value = `demo-${randomBytes(TOKEN_BYTES).toString('hex')}`
    const everything = { tools: [], actions: [], hosts: [] }
    return desk.set({ name: DEMO_SECRET, value, kind: 'token', ...everything, allowDevelopmentKey: true })
  })
  return set.ok ? done(true) : trouble(`Home cannot start: ${refusalDetail(set.reason)}`)
}
