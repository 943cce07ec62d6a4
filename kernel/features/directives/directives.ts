/**
 * The owner's directive files as used by prompts (O-01 – O-04, O-07, O-13 – O-18): opened once per store version, labelled,
 * selected by mode, or loaded by the plan (`brain.load`). Must not open one for a reader; `finalize` does, for a cleared model.
 * Called by every builder of an owner prompt, kernel-effects.ts and directive-service.ts.
 */
import { activationOf } from '../../directives/change.ts'
import { isLoaded, type Mode, mayBeRequested, type Occasion } from '../../directives/mode.ts'
import { namesFile, parseFileName } from '../../directives/name.ts'
import { CORE_ORDER, isStandard } from '../../directives/ownership.ts'
import { type DirectiveText, indexLine, promptBody, unpacked } from '../../directives/text.ts'
import { digestOf } from '../../flow/digest.ts'
import type { Json } from '../../flow/json.ts'
import { combine, derive, fingerprint, type Labeled, test } from '../../flow/labeled.ts'
import { checkRead } from '../../flow/policy.ts'
import { pick } from '../../flow/record.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { LOAD, lookUpAction } from '../../powers/effects.ts'
import { INTENTS } from '../../powers/message-fields.ts'
import type { Actions, DirectiveFiles, Sealing, Templates } from '../../powers/ports.ts'
import { openRecordOf, openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { Task } from '../../task/task.ts'
import type { Template } from '../../template/template.ts'
import { openText } from '../../vault/records.ts'
import type { DirectiveStore, StoredDirective } from './port.ts'

/** The newest version of a file, opened and still labelled. */
interface OpenDirective {
  readonly kept: StoredDirective
  readonly content: Labeled<DirectiveText>
}

/** Directives of one owner prompt. Everything from a file is labelled, including its name. */
export interface Directives {
  /** The same number means the same files: a cache built from them is still valid. */
  readonly version: number
  /** Name and body: SOUL, USER, AGENTS, in prompt order; then other files that are always included. */
  readonly always: readonly Labeled<DirectiveText>[]
  /** Files attached to this task: by its plan, its intent, or because the owner named them. */
  readonly attached: readonly Labeled<DirectiveText>[]
  /** One line for each file that is not always included; null when there is none. */
  readonly index: Labeled<string[]> | null
}

interface Opened {
  readonly version: number
  readonly files: Promise<readonly OpenDirective[]>
}

/** Cache of opened files by store: a write changes the store's version, and the next turn reads again. */
const opened = new WeakMap<DirectiveStore, Opened>()

/** All files; one that cannot be opened is left out. Empty at a place without any. */
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

async function openAll(powers: Sealing, kept: readonly StoredDirective[]): Promise<readonly OpenDirective[]> {
  const files: OpenDirective[] = []
  for (const one of kept) {
    const file = await openDirective(powers, one)
    if (file.ok) files.push(file.value)
  }
  return files
}

export async function openDirective(
  { sealer }: Sealing,
  kept: StoredDirective,
): Promise<Result<OpenDirective>> {
  const text = await openText(sealer, kept.ref, kept.row)
  if (!text.ok) return text
  const content = derive(text.value, unpacked)
  // The sealed name is authoritative: a row stored under another file's name is rejected.
  const moved = isStandard(kept.file) && !test(content, ({ name }) => name === kept.file)
  return moved ? err('record_stale', { record: kept.ref.id }) : ok({ kept, content })
}

/**
 * For a task or job of the owner, at a place that has the files. Null for any other principal, and for a task whose
 * ceiling is below the files' label (O-13).
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

/** The files that this task may read, without deleted own files. */
async function readable(powers: DirectiveFiles & Sealing, task: Task): Promise<readonly OpenDirective[]> {
  const files = await currentDirectives(powers)
  return files.filter((file) => checkRead(task.ceiling, file.content.label).allow && isThere(file))
}

/** An own file with an empty text counts as deleted; it can be restored while its versions last. */
function isThere({ kept, content }: OpenDirective): boolean {
  return isStandard(kept.file) || !test(content, ({ text }) => text === '')
}

/** Owner templates only (O-02); a job runs with the owner's directives (O-25). */
function isOwners({ templates }: Templates, { template: id }: Task): boolean {
  const found: Template | undefined = templates.find((template) => template.id === id)
  return found?.principalClass === 'owner' || found?.principalClass === 'cron'
}

function modeOf({ content }: OpenDirective): Mode {
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
    return isLoaded(mode, attach, found)
  })
}

function isNamed({ content }: OpenDirective, words: Labeled<string> | null): boolean {
  if (words === null) return false
  const both = combine<string | DirectiveText, boolean>([words, content], ([said, file]) =>
    namesFile(said as string, (file as DirectiveText).name),
  )
  return test(both, (named) => named)
}

/** The body as shown in a prompt. */
function bodyOf({ content }: OpenDirective): Labeled<DirectiveText> {
  return derive(content, ({ name, text }) => ({ name, text: promptBody(text) }))
}

function saysSomething(body: Labeled<DirectiveText>): boolean {
  return test(body, ({ text }) => text !== '')
}

function lineOf(file: OpenDirective): Labeled<string> {
  const mode = modeOf(file)
  return derive(file.content, (content) => indexLine(content, mode))
}

/** The owner's own words of this message, if untainted; quoted text is stored separately and not read here. */
async function ownWordsOf(powers: SealedReading, task: Task): Promise<Labeled<string> | null> {
  const words = await openTextOf(powers, task.words)
  return words.ok && words.value.taint.level === 'clean' ? words.value : null
}

/** The plan's tools and the intent: enums and ids, no text (O-15). */
async function occasionOf(powers: SealedReading & Actions, task: Task): Promise<Occasion> {
  const tools = (task.plan?.steps ?? []).flatMap((step) =>
    step.do === 'tool' || step.do === 'forEach' ? [step.tool] : [],
  )
  const writes = tools.some((id) => changesOutside(powers, id))
  return { tools, writes, intent: await intentOf(powers, task) }
}

/** Kernel effects change nothing outside, except a reply to the owner. */
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

type Arguments = Labeled<{ readonly [key: string]: Json }>

/**
 * Output of `brain.load`, with the label of the file. Refusals: principal_not_allowed; tool_unavailable at a place
 * without files; directive_name; directive_unknown, also for a file above the task's ceiling; directive_manual.
 */
export async function loadDirective(
  powers: SealedReading & Actions & Templates & DirectiveFiles,
  task: Task,
  args: Arguments,
): Promise<Result<Labeled>> {
  if (!isOwners(powers, task)) return err('principal_not_allowed', { template: task.template })
  if (powers.directives === undefined) return err('tool_unavailable', { tool: LOAD })
  if (!test(args, ({ name }) => parseFileName(name).ok)) return err('directive_name')
  const files = await readable(powers, task)
  const file = files.find((candidate) => isAsked(args, candidate))
  if (file === undefined) return err('directive_unknown')
  if (!mayBeRequested(modeOf(file), isNamed(file, await ownWordsOf(powers, task))))
    return err('directive_manual')
  const body = bodyOf(file)
  const hash = fingerprint(body, digestOf)
  const state = (await hasLoaded(powers, task, hash)) ? 'unchanged' : 'loaded'
  return ok(derive(body, ({ name, text }) => ({ name, hash, state, ...(state === 'loaded' && { text }) })))
}

function isAsked(args: Arguments, { content }: OpenDirective): boolean {
  const both = combine<Json, boolean>([args, content], ([values, file]) => {
    const name = parseFileName((values as { readonly [key: string]: Json })['name'])
    return name.ok && name.value === (file as DirectiveText).name
  })
  return test(both, (same) => same)
}

/** Whether an earlier step of this task loaded the same text, which is in its prompts since then. */
async function hasLoaded(powers: SealedReading & Actions, task: Task, hash: string): Promise<boolean> {
  for (const result of Object.values(task.results)) {
    if (result.kind !== 'sealed' || result.ref.holds.what !== 'record' || result.ref.holds.action !== LOAD)
      continue
    const record = await openRecordOf(powers, result.ref)
    const before = record.ok ? pick(record.value, ['hash']) : record
    if (before.ok && test(before.value, (value) => value === hash)) return true
  }
  return false
}
