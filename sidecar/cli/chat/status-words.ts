/**
 * Words for `pfar status` and `/status` in the terminal: what runs, what is connected, what is pending and what is wrong, one
 * line each. Values for machines, and empty ones, appear in `--json` only. Called by chat.ts and local/status.ts.
 */
import { type Saying, tell } from '../../language/wording.ts'
import type { PlaceStatus } from '../line/link.ts'
import { factLines, nameText } from './render.ts'

/** Facts that are not shown: measurements, versions, keys, ids, and facts that another line includes. */
const ASIDE: ReadonlySet<string> = new Set([
  ...['place', 'version', 'rttMs', 'tools', 'homeKey', 'memoryMb', 'approvalsPerDay'],
  ...['edge', 'url', 'tunnelTrouble'],
])
/** Normal values, which are not shown. */
const USUAL: Readonly<Record<string, unknown>> = Object.freeze({ sandbox: 'ready', tasks: 0, approvals: 0 })

const LABELS: Readonly<Record<string, Saying>> = Object.freeze({
  tunnel: 'terminal.status_tunnel',
  tunnelSays: 'terminal.status_trouble',
  masterKey: 'terminal.status_key',
  secrets: 'terminal.status_accounts',
  missing: 'terminal.status_missing',
  notConnected: 'terminal.status_open',
  switchedOff: 'terminal.status_off',
  tasks: 'terminal.status_tasks',
  approvals: 'terminal.status_approvals',
  waiting: 'terminal.status_waiting',
  jobs: 'terminal.status_jobs',
  paused: 'terminal.status_paused',
  answered: 'terminal.status_answered',
  asked: 'terminal.status_asked',
  backup: 'terminal.status_backup',
  copies: 'terminal.status_copies',
  software: 'terminal.status_version',
  troubles: 'terminal.status_broken',
  configChanged: 'terminal.status_config',
})

/** Words for the status of one place; includes only facts that matter to a person. */
export function statusWords(status: PlaceStatus): string {
  const { place } = status
  const head = tell(place === 'edge' ? 'terminal.status_edge' : 'terminal.status_home')
  const facts = Object.entries(status).flatMap(([name, value]) => {
    if (ASIDE.has(name) || isNothing(value) || USUAL[name] === value) return []
    const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined
    return factLines(label === undefined ? nameText(name) : tell(label), said(name, value, status))
  })
  return [head, ...facts].join('\n')
}

function isNothing(value: unknown): boolean {
  return (
    value === null || value === undefined || value === 'none' || (Array.isArray(value) && value.length === 0)
  )
}

function said(name: string, value: unknown, { edge }: PlaceStatus): unknown {
  if (name === 'tunnel' && edge !== null && edge !== undefined)
    return tell(value === 'up' ? 'terminal.status_up' : 'terminal.status_down', { edge: String(edge) })
  if (name === 'tunnel') return tell('terminal.status_no_edge')
  if (name === 'approvals') return tell('terminal.status_waits', { count: Number(value) })
  if (name === 'secrets' && Array.isArray(value)) return value.map((one) => accountOf(String(one)))
  return value
}

/** Name of the secret, and its state if it is not the normal one. */
function accountOf(secret: string): string {
  const [, name = secret, state = ''] = /^(\S+) \[\w+\] v\d+ (\w+)$/.exec(secret) ?? []
  return state === '' || state === 'proven' ? name : `${name} (${state})`
}
