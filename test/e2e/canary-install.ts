/**
 * The installation of the canary test before its first start: the owner's configuration, a master key in a custody that
 * has a recovery phrase (systemd's, as its unit finds it loaded), so that copies of home go to the edge, and the secret that
 * its tools use; and what home is given that the product does not have yet. Holds no expectation. Called by canary-day.ts.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { connectClient } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import type { SourcePatch } from './canary-patch.ts'
import { configure, SOON } from './chaos-bench.ts'

const MAIN = fileURLToPath(new URL('../../sidecar/cli/main.js', import.meta.url))

/** The product has no cloud model at home yet. This one is asked before the model that needs no network. */
const CLOUD_AT_HOME: SourcePatch = {
  file: 'sidecar/home/powers.ts',
  find: "models: [...homeModels.models, createRulesModel({ place: 'home', home: HOME_RULES })]",
  replace: `models: [{
    reader: { id: 'scripted', level: 'internal', compartments: [], locality: 'cloud' },
    async complete({ system, user, parts }) {
      const body = JSON.stringify({ system, user, parts })
      await fetch(process.env['PFAR_CANARY_MODEL'] ?? '', { method: 'POST', body })
      // No fault of its own, so that it is asked every time and never left alone.
      return { ok: false, reason: { code: 'model_budget_spent', facts: {} } }
    },
  }, createRulesModel({ place: 'home', home: HOME_RULES })]`,
}

/**
 * Here the place of an event is regulated, as health data is, and the owner has granted the terminal that
 * compartment.
 */
const REGULATED: readonly SourcePatch[] = [
  {
    file: 'integrations/tools/calendar/fields.ts',
    // Of the events that are listed.
    find: "location: { kind: 'text', max: EVENT_TEXT.location, optional: true },\n  attendees:",
    replace:
      "location: { kind: 'text', level: 'regulated', compartment: 'health', max: EVENT_TEXT.location, optional: true },\n  attendees:",
  },
  {
    file: 'sidecar/config/home-texts.ts',
    find: 'decoded.push(parse(source))',
    replace: `const owns = path === 'tasks/owner_private.toml' ? { data_compartments: ['health'] } : {}
      decoded.push({ ...parse(source), ...owns })`,
  },
  {
    file: 'sidecar/home/home-policy.ts',
    find: "...CHATS.map((sink) => own(sink, 'home', 'sensitive'))",
    replace: "...CHATS.map((sink, at) => own(sink, 'home', 'sensitive', at === 0 ? [HEALTH] : []))",
  },
  {
    file: 'sidecar/home/home-policy.ts',
    find: "guard: 'regulated:health', patterns: [",
    replace: "guard: 'regulated:health', patterns: [...CHATS.slice(0, 1), ",
  },
]

/** What makes the copies is a process of its own, which gets no variable of home's. */
const CHILDREN_TOO: SourcePatch = {
  file: 'sidecar/process/run-child.ts',
  find: 'env: {},',
  replace: 'env: process.env,',
}

/** For every day. */
export const HOME_PATCHES: readonly SourcePatch[] = [CLOUD_AT_HOME, ...REGULATED, CHILDREN_TOO]

export interface Installed {
  readonly master: Uint8Array
  /** What the unit of home gives it. */
  readonly environment: Readonly<Record<string, string>>
  remove(): void
}

export function install(folder: string, origin: string): Installed {
  configure(folder, origin)
  const config = join(folder, 'config.toml')
  const withSecret = readFileSync(config, 'utf8').replace('[tools.google]', '$&\ncredential = "vault:google"')
  writeFileSync(config, withSecret)
  const record = { version: 1, kind: 'systemd', id: '0'.repeat(16) }
  writeFileSync(join(folder, 'custody.json'), JSON.stringify(record), { mode: 0o600 })
  const loaded = mkdtempSync(join(tmpdir(), 'pfar-credentials-'))
  const master = new Uint8Array(randomBytes(32))
  writeFileSync(join(loaded, 'pfar-master'), master, { mode: 0o600 })
  return {
    master,
    environment: { CREDENTIALS_DIRECTORY: loaded },
    remove: () => rmSync(loaded, { recursive: true }),
  }
}

/** Sets a secret as the owner does, beside a running home; resolves with all that was printed. */
export async function setSecret(folder: string, value: string): Promise<string> {
  // A command beside a home that only begins would hold its lock.
  const client = await until(() => connectClient(join(folder, 'home.sock')).catch(() => null), SOON)
  client.socket.destroy()
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [MAIN, 'secret', 'set', 'google'], {
    env: { PATH, PFAR_HOME: folder },
  })
  child.stdin.end(`${value}\n`)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const printed = (await text(child.stdout)) + (await text(child.stderr))
  if ((await ended) !== 0) throw new Error(printed)
  return printed
}
