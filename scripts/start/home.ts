/**
 * Starts home as a process with a minimal environment, and keeps it running. Must not read its database or keys. Called by
 * bring-up.ts.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPrivateLink } from '../../sidecar/cli/line/private-link.ts'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import { type AskPassphrase, readCustodyRecord } from '../../sidecar/keys/custody.ts'
import { askUntilRight, PASSPHRASE_FD } from '../../sidecar/keys/owner-terminal.ts'
import { passphraseFile } from '../../sidecar/keys/passphrase-file.ts'
import { MALLOC_SETTING } from '../../sidecar/service/service.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { type KeptChild, keepChild, lastLogLine } from './child.ts'
import { childEnvironment } from './environment.ts'
import { CHILD_SCRIPTS, childNote } from './leftovers.ts'
import { done, type Outcome, trouble } from './outcome.ts'

const START_TIMEOUT_MS = 30_000
const LOOK_EVERY_MS = 25

export interface HomeInput {
  readonly paths: StatePaths
  /** Configuration file to use. */
  readonly config: string
  /** Origin of the local edge; null if it does not run. */
  readonly edge: string | null
  readonly say: (text: string) => void
  /** Called once per start; null if home needs no passphrase. */
  readonly passphrase: () => Promise<string | null>
  /** Called before home is started again after a crash: what was set while it ran is in the owner's file. */
  readonly beforeRestart?: () => void
  /** Work that needs home's keys, done before home runs. */
  readonly prepare?: (ask: AskPassphrase) => Promise<Outcome<true>>
}

export async function startHome({
  paths,
  config,
  edge,
  say,
  passphrase: askOnce,
  beforeRestart,
  prepare,
}: HomeInput): Promise<Outcome<KeptChild>> {
  const log = join(paths.logs, 'home.log')
  const passphrase = await askOnce()
  const prepared = await prepare?.(async () => passphrase)
  if (prepared?.ok === false) return prepared
  const child = keepChild({
    name: 'home',
    command: [CHILD_SCRIPTS.home],
    environment: childEnvironment(process.env, {
      PFAR_HOME: paths.root,
      PFAR_CONFIG_PATH: config,
      // With the demo's file in use, settings that home writes still go into the owner's file.
      PFAR_OWN_CONFIG: paths.config,
      PFAR_EDGE_URL: edge ?? undefined,
      [PASSPHRASE_FD]: passphrase === null ? undefined : '3',
      ...MALLOC_SETTING,
    }),
    log,
    ...(passphrase === null ? {} : { whisper: passphrase }),
    note: childNote(paths, 'home'),
    onCrash: (pauseMs) => {
      say(`home   stopped on its own; starting it again in ${pauseMs / 1_000} s (${log})`)
      beforeRestart?.()
    },
  })
  if (await answers(paths.socket, child)) return done(child)
  await child.stop()
  return trouble(`Home did not start: ${lastLogLine(log)} (${log})`)
}

/**
 * Home has no terminal, so its passphrase is asked for here, and kept in memory to restart home after a crash. Null if
 * home needs none, or without a terminal; home then prints what to do.
 */
export async function askForHome(root: string): Promise<string | null> {
  const folder = openStateFolder(root)
  const record = folder.ok ? readCustodyRecord(folder.value) : folder
  if (!folder.ok || !record.ok || record.value.kind !== 'passphrase') return null
  return askUntilRight(async (words) => {
    const held = await passphraseFile(folder.value, { ask: async () => words }).read()
    if (held.ok) for (const key of held.value) key.fill(0)
    // Home reports any other problem of the file.
    return held.ok || held.reason.code !== 'key_unavailable'
  })
}

/** Whether home answers on its socket before it exits or the time is over. */
async function answers(socket: string, child: KeptChild): Promise<boolean> {
  const link = createPrivateLink(socket)
  try {
    for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await pause(LOOK_EVERY_MS)) {
      if (!child.running()) return false
      if ((await link.status()).ok) return true
    }
    return false
  } finally {
    link.close()
  }
}
