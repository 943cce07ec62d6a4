/**
 * Renders the approval card: the exact arguments that will run, in kernel words (F-03). Made from the canonical bytes
 * that the digest binds, destinations first, invisible characters made visible; long text is folded with a count and
 * available in full. Must not omit anything silently. Called by authorize.ts, drive.ts and shell.ts.
 */
import { leavesOf } from '../../flow/field.ts'
import { canonicalJson, type Json } from '../../flow/json.ts'
import { describeLabel } from '../../flow/label.ts'
import { derive, type Labeled } from '../../flow/labeled.ts'
import type { TaintLevel } from '../../flow/taint.ts'
import type { Contact } from '../../powers/ports.ts'
import type { ReasonCode } from '../../reasons.ts'
import { digestOf } from '../../task/capability.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { continues, previewOf } from '../../wording/preview.ts'
import { questionFor, wordsFor } from '../../wording/words.ts'

/** Lines of one value shown before the card folds it: one screen. */
export const SHOWN_LINES = 8
/** UTF-16 units of one line shown before the card folds it; longer than any mail address. */
export const SHOWN_LINE = 400
/** Hex digits of the digest of folded text: two texts that differ only there look different. */
const DIGEST_DIGITS = 24

/** Shown in a chat where an approval by the owner would not count. */
export const ASKED_AT_HOME = 'I have a question about this first. You find it on your line at home.'
/** Shown on the private line, for a question that the edge could not put in its own chat. */
export const CARD_WAITS =
  'A question of the edge waits for you on the open line, because your chat with the edge does not take it to you or would not bring me your answer: `pfar approvals --line open` shows it, and `pfar approve --line open` or `pfar deny --line open` answers it.'

/** Shown for a message whose earlier version already changed something. */
export const EDITED_AFTER =
  'Before you edited that message I had already acted on what it said, and that stays as it is. What it says now I take as a new request.'

/** Labels of the buttons of a card. */
export const YES_NO: { readonly yes: string; readonly no: string; readonly more?: string } = Object.freeze({
  yes: 'Yes',
  no: 'No',
})

/** Added under a card once it is answered. */
export const DECIDED = Object.freeze({ approve: 'You said yes.', deny: 'You said no. I did not do it.' })

export interface CardInput {
  readonly action: RegisteredAction
  readonly reason: ReasonCode
  /** Sink that the call goes to. */
  readonly sink: string
  readonly contacts: readonly Contact[]
  /** An argument is a composed text that was truncated (B-37). */
  readonly cut: boolean
}

const WRITTEN: Readonly<Record<TaintLevel, string>> = Object.freeze({
  clean: 'all your own words',
  extracted: 'with facts from what others wrote',
  raw: 'partly written by others',
})

/** The full card; `foldCard` shortens it for sending. */
export function renderCard(
  args: Labeled<{ readonly [key: string]: Json }>,
  { action, reason, sink, contacts, cut }: CardInput,
): Labeled<string> {
  const guard = `${describeLabel(args.label)}, ${WRITTEN[args.taint.level]}`
  return derive(args, (values) => {
    // Rendered from the bytes that the digest covers, not from the tree they were serialised from.
    const bytes = JSON.parse(canonicalJson(values)) as { readonly [key: string]: Json }
    const lines = inOrder(action, Object.keys(bytes)).map((name) =>
      previewOf(name, bytes[name] ?? null, (address) => noteOn(contacts, address)),
    )
    const head = `May I do this? ${action.description} (${action.id})`
    const reads = tellsHosts(action)
      ? `${namesOf(action.tool.network)}, services of others`
      : sink.replace(/^sink:/, '')
    const goes = `Goes to ${reads}: ${guard}.`
    const part = cut ? [wordsFor('answer_cut')] : []
    return [head, ...lines, goes, ...part, questionFor(reason)].join('\n')
  })
}

/**
 * The card as sent: a value of many lines, or a very long line, ends in a count of what is folded and a digest of it.
 * `id` and `number` request the full card; cards made before numbers existed have none.
 */
export function foldCard(card: string, id: string, number: number | null = null): string {
  const whole =
    number === null ? `pfar approvals show ${id}` : `/approvals ${number} (pfar approvals show ${number})`
  const shown: string[] = []
  let hidden: string[] = []
  let run = 0
  const flush = (): void => {
    if (hidden.length > 0) shown.push(foldLine(hidden, whole))
    hidden = []
  }
  for (const line of card.split('\n')) {
    run = continues(line) ? run + 1 : 0
    if (run >= SHOWN_LINES) hidden.push(line)
    else {
      flush()
      shown.push(cutLine(line, whole))
    }
  }
  flush()
  return shown.join('\n')
}

function foldLine(lines: readonly string[], whole: string): string {
  const text = lines.join('\n')
  const marks = lines.reduce((sum, line) => sum + line.indexOf('| ') + 2, 0)
  const count = text.length - marks - (lines.length - 1)
  const many = lines.length === 1 ? '1 more line' : `${lines.length} more lines`
  return `    … ${many}, ${count} characters ⟨${digestOf(text).slice(0, DIGEST_DIGITS)}⟩ ${whole}`
}

/** Never cuts inside an escape, whose second half would look like text. */
function cutLine(line: string, whole: string): string {
  if (line.length <= SHOWN_LINE) return line
  const head = line.slice(0, SHOWN_LINE).replace(/⟨[^⟩]*$|[\ud800-\udbff]$/, '')
  const rest = line.slice(head.length)
  return `${head}\n    … ${rest.length} more characters ⟨${digestOf(rest).slice(0, DIGEST_DIGITS)}⟩ ${whole}`
}

function tellsHosts({ args }: RegisteredAction): boolean {
  return Object.values(args.fields).some((spec) => leavesOf(spec).some(([, leaf]) => leaf.disclosed === true))
}

function namesOf(hosts: readonly string[]): string {
  return hosts.join(' and ')
}

/** Destinations come first, regardless of their names; the rest in the order of the tool's declaration. */
function inOrder(action: RegisteredAction, names: readonly string[]): readonly string[] {
  const declared = Object.keys(action.args.fields).filter((name) => names.includes(name))
  const leads = (name: string): boolean => {
    const spec = action.args.fields[name]
    return spec !== undefined && leavesOf(spec).some(([, leaf]) => leaf.destination === true)
  }
  const others = names.filter((name) => !declared.includes(name))
  return [...declared.filter(leads), ...declared.filter((name) => !leads(name)), ...others]
}

/** The owner's contact name is added after an address, never in place of it. */
function noteOn(contacts: readonly Contact[], address: string): string | null {
  const known = contacts.find(({ email }) => email.toLowerCase() === address.toLowerCase())
  return known === undefined ? null : `${known.name}, a contact of yours`
}
