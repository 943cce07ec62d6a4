/**
 * The owner's directive files as his prompts take them (O-01 – O-04, O-07, O-13 – O-18): opened once for each version of the
 * whole, still labelled, chosen by mode. Must not open one for a reader: `finalize` does, for a model that is cleared. Called
 * by whoever builds a prompt for the owner, by load-directive.ts and the desk.
 */

import { activationOf } from '../../directives/activation.ts'
import { comesAlong, type Mode, type Occasion } from '../../directives/mode.ts'
import { namesFile } from '../../directives/name.ts'
import { CORE_ORDER, isStandard } from '../../directives/ownership.ts'
import { type DirectiveText, indexLine, promptBody, unpacked } from '../../directives/text.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { checkRead } from '../../flow/policy.ts'
import { pick } from '../../flow/record.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { lookUpAction } from '../../powers/effects.ts'
import { INTENTS } from '../../powers/message-fields.ts'
import type { Actions, DirectiveFiles, Sealing, Templates } from '../../powers/ports.ts'
import { openRecordOf, openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { Task } from '../../task/task.ts'
import type { Template } from '../../template/template.ts'
import { openText } from '../../vault/records.ts'
import type { DirectiveStore, KeptDirective } from './directive-port.ts'

/** The newest version of a file, opened and still labelled. */
export interface OpenDirective {
  readonly kept: KeptDirective
  readonly content: Labeled<DirectiveText>
}

/** What one owner prompt takes along. Everything that comes from a file is labelled, its name too. */
export interface Directives {
  /** The same number means the very same files: what was built from them is still good. */
  readonly version: number
  /** Name and body: SOUL, USER, AGENTS, in the order of a prompt; then others that are always there. */
  readonly always: readonly Labeled<DirectiveText>[]
  /** Files that this task attaches: by its plan, its intent, or because the owner named them. */
  readonly attached: readonly Labeled<DirectiveText>[]
  /** A line for each file that is not always there; null when there is none. */
  readonly index: Labeled<string[]> | null
}

interface Opened {
  readonly version: number
  readonly files: Promise<readonly OpenDirective[]>
}

/** What was opened, by the store it came from: a write gives the store another version, and the next turn reads anew. */
const opened = new WeakMap<DirectiveStore, Opened>()

/** All files there are; one that cannot be opened is left out. Empty at a place without any. */
export function currentDirectives(powers: DirectiveFiles & Sealing): Promise<readonly OpenDirective[]> {
  const { directives } = powers
  if (directives === undefined) return Promise.resolve([])
  const version = directives.version()
  const known = opened.get(directives)
  if (known?.version === version) return known.files
  const files = openAll(powers, directives.current())
  opened.set(directives, { version, files })
  return files
}

async function openAll(powers: Sealing, kept: readonly KeptDirective[]): Promise<readonly OpenDirective[]> {
  const files: OpenDirective[] = []
  for (const one of kept) {
    const file = await openDirective(powers, one)
    if (file.ok) files.push(file.value)
  }
  return files
}

export async function openDirective(
  { sealer }: Sealing,
  kept: KeptDirective,
): Promise<Result<OpenDirective>> {
  const text = await openText(sealer, kept.ref, kept.row)
  if (!text.ok) return text
  const content = derive(text.value, unpacked)
  // The name inside the seal is the true one: a row that was given another file's place is not that file.
  const moved = isStandard(kept.file) && !test(content, ({ name }) => name === kept.file)
  return moved ? err('record_stale', { record: kept.ref.id }) : ok({ kept, content })
}

/**
 * For a task of the owner's, or of a job of his, at a place that has the files; null for everybody else, and for a task
 * whose ceiling they are above (O-13).
 */
export async function directivesFor(
  powers: SealedReading & Actions & Templates & DirectiveFiles,
  task: Task,
): Promise<Directives | null> {
  if (powers.directives === undefined || !isOwners(powers, task)) return null
  const version = powers.directives.version()
  const files = await readable(powers, task)
  const core = CORE_ORDER.flatMap((name) => files.filter(({ kept }) => kept.file === name))
  const contextual = files.filter((file) => !core.includes(file))
  const always = contextual.filter((file) => modeOf(file) === 'always')
  const rest = contextual.filter((file) => !always.includes(file))
  const occasion = await occasionOf(powers, task)
  const words = await ownWordsOf(powers, task)
  const attached = rest.filter((file) => attaches(file, { occasion, named: isNamed(file, words) }))
  return {
    version,
    always: [...core, ...always].map(bodyOf).filter(saysSomething),
    attached: attached.map(bodyOf).filter(saysSomething),
    index: rest.length === 0 ? null : combine(rest.map(lineOf), (lines) => [...lines]),
  }
}

/** The files that this task may read at all, emptied ones of the owner's own left out. */
export async function readable(
  powers: DirectiveFiles & Sealing,
  task: Task,
): Promise<readonly OpenDirective[]> {
  const files = await currentDirectives(powers)
  return files.filter((file) => checkRead(task.ceiling, file.content.label).allow && isThere(file))
}

/** An own file whose text was taken out is gone, and can be restored while its versions last. */
export function isThere({ kept, content }: OpenDirective): boolean {
  return isStandard(kept.file) || !test(content, ({ text }) => text === '')
}

/** Owner templates only (O-02); a job runs with the owner's directives (O-25). */
export function isOwners({ templates }: Templates, { template: id }: Task): boolean {
  const found: Template | undefined = templates.find((template) => template.id === id)
  return found?.principalClass === 'owner' || found?.principalClass === 'cron'
}

export function modeOf({ content }: OpenDirective): Mode {
  const modes = ['always', 'auto_attached', 'agent_requested'] as const
  return (
    modes.find((mode) => test(content, ({ name, text }) => activationOf(name, text).mode === mode)) ??
    'manual'
  )
}

function attaches(
  { content }: OpenDirective,
  found: { readonly occasion: Occasion; readonly named: boolean },
): boolean {
  return test(content, ({ name, text }) => {
    const { mode, attach } = activationOf(name, text)
    return comesAlong(mode, attach, found)
  })
}

export function isNamed({ content }: OpenDirective, words: Labeled<string> | null): boolean {
  if (words === null) return false
  const both = combine<string | DirectiveText, boolean>([words, content], ([said, file]) =>
    namesFile(said as string, (file as DirectiveText).name),
  )
  return test(both, (named) => named)
}

/** The body as a prompt shows it. */
export function bodyOf({ content }: OpenDirective): Labeled<DirectiveText> {
  return derive(content, ({ name, text }) => ({ name, text: promptBody(text) }))
}

function saysSomething(body: Labeled<DirectiveText>): boolean {
  return test(body, ({ text }) => text !== '')
}

function lineOf(file: OpenDirective): Labeled<string> {
  const mode = modeOf(file)
  return derive(file.content, (content) => indexLine(content, mode))
}

/** The person's own words of this message, if they are clean; what was quoted is kept apart, and never looked at here. */
export async function ownWordsOf(powers: SealedReading, task: Task): Promise<Labeled<string> | null> {
  const words = await openTextOf(powers, task.words)
  return words.ok && words.value.taint.level === 'clean' ? words.value : null
}

/** The plan's tools and the intent: enums and ids, and no text (O-15). */
async function occasionOf(powers: SealedReading & Actions, task: Task): Promise<Occasion> {
  const tools = (task.plan?.steps ?? []).flatMap((step) =>
    step.do === 'tool' || step.do === 'forEach' ? [step.tool] : [],
  )
  const writes = tools.some((id) => changesOutside(powers, id))
  return { tools, writes, intent: await intentOf(powers, task) }
}

/** The kernel's own effects change nothing outside but a reply to the person himself. */
function changesOutside({ registry }: Actions, id: string): boolean {
  const action = lookUpAction(registry, id)
  return action.ok && action.value.semantics === 'write' && registry.actions.has(id)
}

async function intentOf(powers: SealedReading & Actions, task: Task): Promise<string | null> {
  if (task.said === null) return null
  const said = await openRecordOf(powers, task.said)
  const intent = said.ok ? pick(said.value, ['intent']) : said
  if (!intent.ok) return null
  return INTENTS.find((known) => test(intent.value, (value) => value === known)) ?? null
}
