/**
 * Formats reports, approvals and status for a terminal. Pure: text in, text out. Must not let control characters
 * through. For the owner only, so labels may be shown (X-37). Called by the commands.
 */
import * as z from 'zod/mini'
import { briefCard } from '../../../kernel/features/approvals/card/card-face.ts'
import type { WaitingView } from '../../../kernel/features/deliveries/resend.ts'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import { KERNEL, RULES } from '../../../kernel/task/plan.ts'
import { tell } from '../../language/wording.ts'
import type { OfferView } from '../../secrets/offer-service.ts'
import type { SecretView } from '../../secrets/secret-service.ts'
import type { PlaceStatus } from '../line/link.ts'
import type { WaitingCard } from './cards.ts'
import { terminalLine, terminalText } from './terminal-text.ts'

/** The answer, or the task's state if there is none: never an empty reply (Q-19). */
export function renderReply({ reply, task }: TaskReport): string {
  const text = reply === null ? '' : terminalText(reply).trimEnd()
  return text === '' ? `(no words: the task is ${terminalLine(task.state).replaceAll('_', ' ')})` : text
}

/**
 * `home · sensitive · mail.search, mail.read`: place, label, steps. Without steps it names the model that wrote the answer, so
 * that nobody takes its words for a lookup.
 */
export function renderTrail({ task }: TaskReport): string {
  const steps = [...new Set(task.steps.map((step) => step.tool))].join(', ')
  const isModels = task.model !== null && task.model !== RULES && task.model !== KERNEL
  const by = steps === '' && isModels ? (task.model ?? '') : steps
  return [task.place, task.label, by]
    .filter((part) => part !== '')
    .map(terminalLine)
    .join(' · ')
}

/** Names the line that the approval is pending on: home does not know the approvals of the edge. */
export function renderHowToApprove(
  { approval, options }: { readonly approval: string; readonly options: number },
  place: string,
): string {
  const which = `${place === 'edge' ? '--line open ' : ''}${terminalLine(approval)}`
  if (options > 0) return tell('terminal.choose', { which, options })
  return tell('terminal.go_ahead', { which })
}

/**
 * Cards, oldest first, two lines each; a single card, or every card if `whole`, is shown in full. `approve` and `deny` take the
 * number.
 */
export function renderApprovals(
  approvals: readonly WaitingCard[],
  now: number,
  whole = approvals.length === 1,
): string {
  if (approvals.length === 0) return tell('terminal.none_waits')
  return approvals.map((view) => renderApproval(view, now, whole)).join('\n')
}

function renderApproval(view: WaitingCard, now: number, whole: boolean): string {
  const left = Math.max(0, Math.ceil((view.expiresAt - now) / 60_000))
  const name = view.number > 0 ? String(view.number) : terminalLine(view.id)
  const [what = '', ...rest] = whole ? terminalText(view.card).trimEnd().split('\n') : briefCard(view.full)
  return [
    tell('approvals.row', { name, what: terminalLine(what), left }),
    ...rest.filter((line) => line !== '').map((line) => `   ${whole ? line : terminalLine(line)}`),
  ].join('\n')
}

/** One line per secret, with a placeholder for its value (E-08). */
export function renderSecrets(
  secrets: readonly SecretView[],
  offers: readonly OfferView[],
  now: number,
): string {
  const lines = [
    ...secrets.map((secret) => secretLine(secret, now)),
    ...offers.map((offer) => offerLine(offer, now)),
  ]
  if (lines.length === 0) return 'No secret is stored. `pfar secret set <name>` stores one.'
  return lines.map(terminalLine).join('\n')
}

function offerLine({ name, value, arrived }: OfferView, now: number): string {
  const what = 'typed on the open line, waits for `pfar secret accept`'
  return `${name} ${value} · ${what} · arrived ${ageOf(arrived, now)} ago`
}

function secretLine({ name, kind, version, value, ...secret }: SecretView, now: number): string {
  const who = [...secret.tools, ...secret.actions].join(', ')
  const used = secret.lastUsed === null ? 'never used' : `used ${ageOf(secret.lastUsed, now)} ago`
  const state = secret.former ? `${secret.state}, the one before is kept` : secret.state
  return `${name} ${value} · ${kind} v${version} (${state}) · ${who} · ${ageOf(secret.stored, now)} old · ${used}`
}

export function ageOf(iso: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(iso)) / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`
}

const NAME_WIDTH = 16

/** One fact per line; lists are joined. */
export function renderStatus(status: PlaceStatus): string {
  return Object.entries(status)
    .flatMap(([name, value]) => factLines(nameText(name), value))
    .join('\n')
}

/** `label: value`, with one line for each waiting delivery. */
export function factLines(label: string, value: unknown): readonly string[] {
  return linesOf(value).map((line) => `${`${label}:`.padEnd(NAME_WIDTH - 1)} ${terminalLine(line)}`)
}

/** Each delivery that waits for a chat has its own line. */
function linesOf(value: unknown): readonly string[] {
  const waiting = waitingRows.safeParse(value)
  return waiting.success ? waiting.data.map(waitingText) : [factText(value)]
}

const waitingRows = z
  .array(z.object({ chat: z.string(), asked: z.string(), since: z.string(), next: z.string() }))
  .check(z.minLength(1))

function waitingText({ chat, asked, since, next }: WaitingView): string {
  const [when, from, again] = [asked, since, next].map((iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`)
  return `for ${chat}, asked for at ${when}, waits since ${from}, next try ${again}`
}

/** `tunnelTrouble` → `tunnel trouble`. */
export function nameText(name: string): string {
  return terminalLine(name).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function factText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(factText).join(', ')
  if (value === null || value === undefined) return 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Spinner frames; the line shows the elapsed whole seconds. */
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export function renderProgress(elapsedMs: number): string {
  const frame = FRAMES[Math.floor(elapsedMs / 100) % FRAMES.length] ?? ''
  return `${frame} ${tell('terminal.working', { seconds: Math.floor(elapsedMs / 1000) })}`
}
