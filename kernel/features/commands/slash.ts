/**
 * Runs an operation that the owner calls by a slash command in one of their chats (DESIGN §9). The words are opened
 * for that operation only; its result bears its declared label and is delivered like any answer. Must only read the
 * owner's words. Called by own-commands.ts.
 */
import type { Label } from '../../flow/label.ts'
import { joinProvenance, type Labeled, openForTool } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { taintOf } from '../../flow/taint.ts'
import { ok } from '../../flow/verdict.ts'
import { argumentsInMessage, isOnlyAtLine, operationInMessage } from '../../operations/commands.ts'
import { OPERATIONS } from '../../operations/index.ts'
import { type Operation, refusalWords, type View } from '../../operations/operation.ts'
import { labelOfShape, type SinkClearance } from '../../operations/shape.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AtPlace, Clock, Operations, OwnerFacts, PolicySource } from '../../powers/ports.ts'
import type { ApprovalStore, CapabilityUses, StoreOf } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { numberOf } from '../approvals/waiting.ts'

/**
 * An operation that a sentence asks for, with the name of the argument that takes the sentence, arguments that code read from it,
 * or both.
 */
export type Sentence = { readonly operation: string } & (
  | { readonly argument: string; readonly args?: Readonly<Record<string, string | number>> }
  | { readonly args: Readonly<Record<string, string | number>> }
)

/**
 * The result in words, or the refusal. `sentence`: the operation that the message asks for, if the message is neither a command
 * nor a phrase.
 */
export async function operationAnswer(
  powers: Auditing & PolicySource & OwnerFacts & Operations & StoreOf<CapabilityUses & ApprovalStore>,
  task: Task,
  words: Labeled<string>,
  sentence: Sentence | null = null,
): Promise<Labeled<string>> {
  const { ceiling, id, principal, sink } = task
  const reader = { tool: 'operation', place: powers.place, ceiling }
  const opened = openForTool(words, reader)
  if (!opened.ok) return receive(wordsFor(opened.reason.code), kernelWords())
  const said = sentence === null ? operationInMessage(opened.value) : calledBy(sentence, opened.value)
  if (said === null || powers.operations === undefined)
    return receive(wordsFor('operation_unknown'), kernelWords())
  const { operation } = said
  if (!isOnlyAtLine(operation, powers.place))
    return receive(wordsFor('approval_place_too_low'), kernelWords())
  const args =
    sentence !== null
      ? ok(wholeIn(sentence, said))
      : said.args === undefined
        ? argumentsInMessage(operation, said.rest)
        : ok(said.args)
  if (!args.ok) return receive(howToSay(operation), kernelWords())
  // After a crash it is unknown whether a write was done, so it is not repeated.
  if (operation.effect !== 'read' && !begins(powers, id))
    return receive(wordsFor('write_outcome_unknown'), kernelWords())
  const { place } = powers
  const door = place === 'home' ? 'private' : 'open'
  const caller = { principal, place, door, sink, message: task.event, task: task.id, behind: true } as const
  const done = await powers.operations({ operation: operation.name, args: args.value, caller })
  if (!done.ok) {
    const { code } = done.reason
    audit(powers, 'denial', task, { code, operation: operation.name })
    return receive(refusalWords(operation, done.reason) ?? wordsFor(code), kernelWords())
  }
  const text = operation.text(done.value, viewOf(powers), args.value)
  const own = {
    label: labelOfAnswer(powers, operation, sink),
    taint: taintOf('clean', `operation:${operation.name}`),
  }
  return receive(text, joinProvenance(own, words))
}

/** Label of the result of an operation, as shown in a chat. */
export function labelOfAnswer(
  powers: Parameters<typeof clearanceOf>[0],
  { name, result, released }: Pick<Operation, 'name' | 'result' | 'released'>,
  sink: Parameters<typeof clearanceOf>[1],
): Label {
  return labelOfShape(name, result, released ? clearanceOf(powers, sink) : null)
}

/** Passes the whole sentence as the argument, if the operation has that argument. */
function wholeIn(
  sentence: Sentence,
  { operation, rest }: NonNullable<ReturnType<typeof operationInMessage>>,
): Readonly<Record<string, string | number>> {
  if (!('argument' in sentence)) return sentence.args
  const { argument, args = {} } = sentence
  return Object.hasOwn(operation.args, argument) ? { ...args, [argument]: rest } : args
}

function calledBy({ operation: name }: Sentence, text: string): ReturnType<typeof operationInMessage> {
  const operation = OPERATIONS.find((one) => one.name === name)
  return operation === undefined ? null : { operation, rest: text.trim() }
}

/** For an unknown sink the result gets the label `secret`, so that nothing is released to it. */
export function clearanceOf(powers: PolicySource, sink: string): SinkClearance {
  const known = powers.policy().sinks.find(({ id }) => id === sink)
  return known ?? { level: 'secret', compartments: [] }
}

function begins({ store }: StoreOf<CapabilityUses>, task: string): boolean {
  return store.countUse(`operation:${task}`, 1)
}

export function viewOf({
  now,
  profile,
  place,
  store,
}: Clock & AtPlace & OwnerFacts & StoreOf<ApprovalStore>): View {
  // A card is named by its number, which can be typed on a phone.
  const short = (arg: string): string => {
    const card = store.loadApproval(arg)
    return String((card === null ? null : numberOf({ place }, card)) ?? arg)
  }
  return {
    ...{ now: now(), timezone: profile().timezone, place, cardBeside: false, inChat: true },
    say: (name, ...args) => [`/${slashOf(name)}`, ...args.map(short)].join(' '),
  }
}

/** Short name of the operation's command, or the words of the command. */
function slashOf(name: string): string {
  const operation = OPERATIONS.find((one) => one.name === name)
  return operation?.slash ?? operation?.command.join(' ') ?? name
}

function howToSay({ name, args }: Operation): string {
  const named = Object.entries(args).map(([key, { about, form, initial, flag }]) => {
    const said = form === 'option' ? `--${flag ?? key}` : key
    const line = `   ${said}: ${about}`
    return initial === undefined ? line : tell('commands.may_be_left_out', { line })
  })
  const bare = named.length === 0 ? 'commands.not_understood_bare' : 'commands.not_understood'
  return [tell(bare, { command: slashOf(name) }), ...named].join('\n')
}
