/**
 * Phase 3, synthesize: a model that sees content and has no tools writes the answer (C-22, C-23). Its output is only text:
 * tool-call JSON in it is delivered literally (regression 9). The text is guarded before it is stored, so that memory equals
 * what was sent. Called by drive.ts.
 */

import { withWaiting } from '../features/approvals/waits-note.ts'
import type { ChannelFlows, Channels } from '../features/channels/channel-port.ts'
import { offersFor } from '../features/credentials/offer.ts'
import { OUTBOX_LIFETIME } from '../features/deliveries/deliver.ts'
import { draftsOf } from '../features/deliveries/draft.ts'
import { unreadWords } from '../features/files/file-words.ts'
import { onlyNew } from '../features/jobs/news.ts'
import { pageAnswer } from '../features/jobs/page-task.ts'
import { type JobStore, PAGE_TEMPLATE } from '../features/jobs/port.ts'
import { headOf, isWithheld, type RunningJob, runningJob } from '../features/jobs/telling.ts'
import { isWatch, watchedWords } from '../features/jobs/watch.ts'
import type { WordedJobs } from '../features/jobs/worded.ts'
import { languageOffer } from '../features/language/language.ts'
import type { Languages } from '../features/language/port.ts'
import type { MemoryStore } from '../features/memory/port.ts'
import { modelsFor } from '../features/models/choice.ts'
import { acknowledgesCloud } from '../features/models/consent.ts'
import type { AgreementStore } from '../features/people/port.ts'
import type { SettingStore } from '../features/quiet/port.ts'
import type { ReminderStore } from '../features/reminders/port.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { checkModel, type ModelReader } from '../flow/policy.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { type FailedModel, wasAsked } from '../inference/router.ts'
import { guarded, type Read, readBy, untoldIn } from '../model-call/guarded-answer.ts'
import { type Asked, type AskModelPorts, askModel } from '../model-call/model-call.ts'
import { fitsTask } from '../model-call/read-through.ts'
import { questionFor } from '../model-call/synthesis-question.ts'
import { type SynthesisView, type SynthesisViewPorts, synthesisView } from '../model-call/synthesis-view.ts'
import { leftOutIn } from '../model-call/task-record.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  ChatServices,
  Clock,
  CredentialService,
  Ids,
  LinkService,
  Models,
  Operations,
  OwnerChats,
  OwnerFacts,
  OwnerPrompts,
  Pausing,
  PolicySource,
  Tools,
} from '../powers/ports.ts'
import { keepText, openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { SealedStore } from '../powers/sealed-port.ts'
import type {
  ApprovalStore,
  AuditTrail,
  CapabilityUses,
  GrantStore,
  StoreOf,
  Transactions,
  TurnStore,
} from '../powers/stores.ts'
import type { CommandAnswers, ReaderPass } from '../powers/tier-port.ts'
import { noiseOf } from '../prompt/signal/signal.ts'
import type { Outcome } from '../task/outcome.ts'
import { FIND_TOOLS, KERNEL, RULES } from '../task/plan.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import { looksBack } from '../wording/guard/answer.ts'
import { isEmptied } from '../wording/guard/claims.ts'
import { guardFor } from '../wording/guard/guard.ts'
import { LANGUAGE_CODES, languageIn } from '../wording/languages.ts'
import { budgetSpent, endAtWord, notAllowed, noteOf, stoodIn } from '../wording/note.ts'

export async function synthesize(
  powers: OwnCommandPorts & ReaderPass & WordedJobs & StoreOf<AgreementStore>,
  task: Task,
): Promise<Outcome> {
  const own = task.path === 'fast' || asksPage(task) ? await ownCommand(powers, task) : null
  if (own !== null) return own
  const template = powers.templates.find(({ id }) => id === task.template)
  if (task.template === PAGE_TEMPLATE) {
    const text = pageAnswer(powers, task)
    return text === null ? { got: 'withdrawn' } : storeAnswer(powers, task, { text, model: RULES })
  }
  const seen = await synthesisView(powers, task)
  if (template === undefined)
    return { got: 'synthesis_failed', reason: { code: 'template_none_matches', facts: {} } }
  if (!seen.ok) return { got: 'synthesis_failed', reason: seen.reason }
  const run = template.principalClass === 'cron' ? runningJob(powers, task) : null
  if (run !== null && isWatch(run.job))
    return watched(powers, task, { ...run, job: run.job, read: seen.value })
  const view =
    run === null
      ? seen
      : { ...seen, value: { ...seen.value, contents: onlyNew(powers, run, seen.value.contents) } }
  if (run !== null && isWithheld(powers, { run, task, read: seen.value, told: view.value }))
    return { got: 'withdrawn' }
  const worded = run === null ? null : await wordedRun(powers, task, { run, view: view.value, template })
  if (worded !== null) return worded
  // Code also writes any other text that the person did not just ask for.
  const isByItself = run !== null || task.timed !== undefined
  const only = isByItself || asksOwnSetUp(task) ? isRules : heardBy(powers, task, view.value)
  const judged = guardFor(powers, task, { looksBack: test(view.value.request, looksBack) })
  // The guard compares with the original text, not with notes on it: a link that appears only in notes was never received.
  const read = readBy(powers, task, view.value)
  const first = asksOwnSetUp(task) ? null : await powers.tier.readFirst?.(powers, task, view.value.contents)
  const contents = first ?? view.value.contents
  const reply = await askModel(powers, task, {
    ...(await questionFor(powers, task, { view: { ...view.value, contents }, template })),
    ...(only !== null && { only }),
    hear: draftsOf(powers, task, { ...read, judged }),
  })
  if (!reply.ok) return { got: 'synthesis_failed', reason: reply.reason }
  const { text, provenance, cut, failed } = reply.value
  const byCode = reply.value.model === RULES
  const written = guarded({ answer: receive(text, provenance), cut }, read, { ...judged, byCode })
  const instead =
    run === null && test(written, isEmptied)
      ? await toldByCode(powers, task, { view: view.value, template, read, judged })
      : null
  const isModels = run === null && instead === null && !byCode
  const untold = isModels ? untoldIn(powers, task, { view: view.value, read, answer: written }) : null
  const deeds = untold && (await wordedByCode(powers, task, { view: untold, template, read, judged }))
  const answer =
    instead !== null
      ? combine([written, instead], ([, own]) => String(own))
      : deeds !== null
        ? combine([deeds, written], ([own, said]) => `${endAtWord(String(own), MAX_DEEDS)}\n\n${said}`)
        : written
  const model = instead === null ? reply.value.model : RULES
  // Only the owner learns about the budget and which models they have.
  const said =
    template.principalClass === 'owner'
      ? withNotes(answer, [
          ...unread(powers, task),
          ...notesOn(failed, model),
          ...notAllowedIn(powers, task, { template, model, failed }),
        ])
      : answer
  const offers = [
    ...offersFor(powers, task, { template, request: view.value.request, byModel: model !== RULES }),
    ...(run === null ? languageOffered(powers, task, { template, request: view.value.request }) : []),
  ]
  const whole =
    run === null ? offering(said, offers) : withNotes(said, headOfRun(powers, task, { run, by: null }))
  return storeAnswer(powers, task, {
    text: run === null ? await withWaiting(powers, task, whole) : whole,
    model,
  })
}

/** Maximum UTF-16 units of the list of things done that precedes an answer which omits them: both fit into one message. */
const MAX_DEEDS = 500

/** If the guard removed the entire answer, code writes what was found, failed or left out; otherwise null. */
async function toldByCode(
  powers: OwnCommandPorts,
  task: Task,
  about: ByCode,
): Promise<Labeled<string> | null> {
  const troubles = [...about.view.troubles, ...leftOutIn(task, about.view)]
  if (about.read.others.length === 0 && troubles.length === 0) return null
  return wordedByCode(powers, task, { ...about, view: { ...about.view, troubles } })
}

interface ByCode {
  readonly view: SynthesisView
  readonly template: Template
  readonly read: Read
  readonly judged: ReturnType<typeof guardFor>
}

async function wordedByCode(
  powers: OwnCommandPorts,
  task: Task,
  { view, template, read, judged }: ByCode,
): Promise<Labeled<string> | null> {
  const asked = await questionFor(powers, task, { view, template })
  const reply = await askModel(powers, task, { ...asked, only: isRules })
  if (!reply.ok) return null
  const { text, provenance, cut } = reply.value
  const answer = guarded({ answer: receive(text, provenance), cut }, read, { ...judged, byCode: true })
  return test(answer, isEmptied) ? null : answer
}

/**
 * An offer to switch the language, at most one. Only on the owner's private line: the
 * language of outside text says nothing about the owner.
 */
function languageOffered(
  powers: OwnCommandPorts,
  { principal, sink, words }: Task,
  {
    template: { principalClass },
    request,
  }: { readonly template: Template; readonly request: Labeled<string> },
): readonly string[] {
  const isOwn =
    principal === OWNER_PRINCIPAL && principalClass === 'owner' && powers.adminSinks.includes(sink)
  if (!isOwn || words.taint.level !== 'clean') return []
  const said = LANGUAGE_CODES.find((code) => test(request, (text) => languageIn(text) === code))
  const offer = languageOffer(powers, said ?? null)
  return offer === null ? [] : [offer]
}

function offering(answer: Labeled<string>, offers: readonly string[]): Labeled<string> {
  return offers.length === 0 ? answer : derive(answer, (text) => [text, ...offers.map(noteOf)].join('\n\n'))
}

/** A reminder with a condition: code compares fields, and writes the text. */
async function watched(
  powers: SealedReading & Ids & OwnerFacts,
  task: Task,
  {
    job,
    run,
    read,
  }: RunningJob & { readonly job: Parameters<typeof watchedWords>[0]['job']; readonly read: SynthesisView },
): Promise<Outcome> {
  const words = await openTextOf(powers, job.words)
  if (!words.ok) return { got: 'synthesis_failed', reason: words.reason }
  const about = { job, run, words: words.value, zone: job.zone, now: powers.now() }
  const text = watchedWords({ ...about, contents: read.contents })
  return text === null ? { got: 'withdrawn' } : storeAnswer(powers, task, { text, model: RULES })
}

/**
 * The text of a run, written by the model that the job's card named. Null where code
 * writes it: for most jobs, and where that model returns no text.
 */
async function wordedRun(
  powers: OwnCommandPorts & ReaderPass & WordedJobs,
  task: Task,
  of: { readonly run: RunningJob; readonly view: SynthesisView; readonly template: Template },
): Promise<Outcome | null> {
  const { worded } = powers
  const written = of.run.job.frozen.writer === undefined ? null : await worded?.text(powers, task, of)
  if (!written) return null
  const { text, model } = written
  return storeAnswer(powers, task, {
    text: withNotes(text, headOfRun(powers, task, { run: of.run, by: model })),
    model,
  })
}

/** `by`: the model that worded it; null for code. */
function headOfRun(
  powers: Parameters<typeof headOf>[0] &
    Parameters<NonNullable<WordedJobs['worded']>['notes']>[0] &
    WordedJobs,
  task: Task,
  { run, by }: { readonly run: RunningJob; readonly by: string | null },
): readonly string[] {
  const notes = run.job.frozen.writer === undefined ? [] : powers.worded?.notes(powers, run, { task, by })
  return [...headOf(powers, run), ...(notes ?? [])]
}

/**
 * Whether the task asked about its own configuration. Such an answer repeats the text
 * of the owner's command exactly, whatever else was asked.
 */
function asksOwnSetUp({ plan }: Task): boolean {
  const steps = plan?.steps.filter((step) => step.do !== 'tool' || step.tool !== FIND_TOOLS) ?? []
  return steps.some((step) => step.do === 'tool' && step.tool.startsWith('admin.'))
}

/** A job's text is written by code from declared fields, unless its card named a model. */
const isRules: NonNullable<Asked['only']> = ({ reader }) => reader.id === RULES

async function storeAnswer(
  powers: SealedReading & Ids,
  task: Task,
  { text, model }: { readonly text: Labeled<string>; readonly model: string },
): Promise<Outcome> {
  // A kernel answer is not part of the conversation (`remember`) and may contain a one-time page, so its sealed text expires.
  const until = model === KERNEL ? powers.now() + OUTBOX_LIFETIME : null
  const keeping = { principal: task.principal, store: 'sessions', until } as const
  return { got: 'synthesized', answer: await keepText(powers, keeping, text), model }
}

/** Ports of everything that one of the owner's commands may answer with. */
export type OwnCommandPorts = AskModelPorts &
  Languages &
  StoreOf<SettingStore> &
  SynthesisViewPorts &
  ChatServices &
  OwnerChats &
  OwnerPrompts &
  Tools &
  CredentialService &
  AskingTime &
  Pausing &
  Operations &
  LinkService &
  CommandAnswers &
  Channels &
  ChannelFlows &
  StoreOf<
    CapabilityUses &
      AuditTrail &
      Transactions &
      TurnStore &
      MemoryStore &
      SealedStore &
      JobStore &
      ReminderStore
  >

/** The kernel itself answers commands about answer style (P-18, P-30). */
async function ownCommand(powers: OwnCommandPorts, task: Task): Promise<Outcome | null> {
  const answer = (await unreadAlone(powers, task)) ?? (await powers.tier.commands.answer(powers, task))
  return answer === null ? null : storeAnswer(powers, task, { text: answer, model: KERNEL })
}

const asksPage = ({ plan }: Task): boolean => plan?.steps.length === 0 && plan.explanation === 'needs_address'

/**
 * Only unreadable files and nothing else: a model could add nothing. "What is this?" beside one that nobody could read is about it,
 * so no page is asked for.
 */
async function unreadAlone(
  powers: SealedReading & AtPlace & ChatServices,
  task: Task,
): Promise<Labeled<string> | null> {
  const { attached, quoted, words } = task
  if (attached === undefined || attached.text !== undefined || quoted !== undefined) return null
  const own = await openTextOf(powers, words)
  const isAlone = asksPage(task) || (own.ok && test(own.value, (text) => text.trim() === ''))
  return own.ok && isAlone ? receive(unreadWords(attached, powers).join('\n'), kernelWords()) : null
}

/**
 * Keeps a mere "ok" from paid models. While a question is pending, "ok" could be its answer, so a local model may read it (P-29).
 * Whether a question is pending is as confidential as its card, so only cards that this chat and this model may see count.
 */
function heardBy(
  powers: Clock & PolicySource & StoreOf<ApprovalStore>,
  task: Task,
  { request }: SynthesisView,
): NonNullable<Asked['only']> | null {
  const isOwn = task.path === 'fast' && task.words.taint.level === 'clean'
  if (!isOwn || !test(request, (words) => noiseOf(words, { pending: false }) !== null)) return null
  const may = fitsTask(powers, task)
  const cards = powers.store.pendingApprovals(task.principal).map(({ card }) => card.label)
  const hears = (reader: ModelReader): boolean =>
    reader.locality !== 'cloud' && cards.some((label) => may(label) && checkModel(reader, label).allow)
  return ({ reader }) => reader.id === RULES || hears(reader)
}

/**
 * Says why another model answered than the first of the chain: that one failed, is paused after failures,
 * or the budget is spent. A model that is not cleared was not asked, so it has not failed (Q-16, D-11).
 */
function notesOn(failed: readonly FailedModel[], model: string): readonly string[] {
  const isSpent = failed.some(({ code }) => code === 'model_budget_spent')
  const by = model === RULES ? null : model
  const matter =
    failed.find(({ code }) => wasAsked([{ model, code }])) ??
    (by === null ? failed.find(({ code }) => code === 'model_resting') : undefined)
  return [...(isSpent ? [budgetSpent()] : []), ...(matter === undefined ? [] : [stoodIn(matter, by)])]
}

/**
 * Says why `rules` answered without understanding although a cloud model exists: the
 * owner has not yet allowed that model to read here.
 */
function notAllowedIn(
  powers: Models & Actions & Clock & AtPlace & StoreOf<GrantStore & SettingStore>,
  { planner, plan }: Task,
  {
    template,
    model,
    failed,
  }: { readonly template: Template; readonly model: string; readonly failed: readonly FailedModel[] },
): readonly string[] {
  const isLost =
    planner === RULES && plan?.steps.length === 0 && /^(?:not_understood|needs_named)$/.test(plan.explanation)
  if (model !== RULES || !isLost || acknowledgesCloud(powers, template.id)) return []
  const cloud = modelsFor(powers, template, { plan }).find(
    ({ reader: { locality, id } }) => locality === 'cloud' && failed.every((tried) => tried.model !== id),
  )
  return cloud === undefined ? [] : [notAllowed(cloud.reader.id, template.id)]
}

/** Attached files that the writer has not seen, whatever its text claims (B-27). */
function unread(powers: AtPlace & ChatServices, { attached }: Task): readonly string[] {
  return attached === undefined ? [] : unreadWords(attached, powers).map(noteOf)
}

function withNotes(answer: Labeled<string>, notes: readonly string[]): Labeled<string> {
  return notes.length === 0 ? answer : derive(answer, (text) => [...notes, text].join('\n\n'))
}
