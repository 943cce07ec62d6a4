/**
 * Plans a change of a waiting card: another time, more people, another title ("at 4 instead", "and invite
 * Tom", "title: X"). The plan repeats the call with that change, and its card replaces the waiting one. Must
 * not read anything of the card except its times. Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { editInMessage } from '../../../../kernel/task/answers/edit-words.ts'
import type { Argument, Plan } from '../../../../kernel/task/plan.ts'
import {
  type Change,
  changesOf,
  movedAndLasting,
  saysChange,
  TIMED,
} from '../../../extractors/message/message-change.ts'
import type { MoveReading } from '../../../extractors/message/message-move.ts'
import { fieldOf, itemsOf, textOf } from '../answers/content.ts'
import { momentOf } from '../several.ts'
import { call, nothing, ref } from '../steps.ts'
import { fitting, recipientsOf, unknownPeople } from '../whom.ts'

type Steps = Plan['steps'][number]

interface Card {
  readonly root: string
  readonly action: string
  readonly fields: Json
  /** Names of the arguments that the action takes. */
  readonly takes: readonly string[]
}

/** Arguments that hold people, by how they are added; the first one that an action has. */
const PEOPLE = {
  invite: ['attendees', 'invite'],
  more: ['attendees', 'invite', 'to'],
  copy: ['cc', 'also'],
  hidden: ['bcc'],
  to: ['to'],
} as const

/** Null for a message that says no such thing, or where nothing waits that it could be about. */
export function changePlan(parts: PromptParts): Plan | null {
  const cards = cardsOf(parts)
  const edit = editInMessage(parts.request)
  if (cards.length === 0) return null
  const read = changesOf(parts.request, momentOf(parts))
  const changes = read !== null && isTold(read, parts) ? read : null
  const meant = cards.filter(
    ({ fields }) => edit === null || edit.which === '' || isNumbered(fields, edit.which),
  )
  const plans = changes === null ? [] : meant.map((card) => planOf(card, changes, parts))
  const made = plans.find((plan) => plan !== null) ?? null
  if (made !== null) return made
  return edit !== null || (read !== null && saysChange(parts.request)) ? nothing(refusalOf(meant[0])) : null
}

/** Why a card stays as it is, with what can be said to change it, where anything can. */
function refusalOf(card: Card | undefined): string {
  const has = (name: string): boolean => card !== undefined && textOf(card.fields, name) !== ''
  if (card === undefined || ['from', 'at', 'due'].some(has)) return 'not_changed'
  // Of what a stranger's text decided, a planner is shown nothing, so that none of it can be changed by a plan.
  const isText = ['body', 'note'].some((name) => card.takes.includes(name))
  return isText ? 'not_changed_text' : 'not_changed_at_all'
}

/** The new time is taken from the fields of the message, which have one. */
function isTold(changes: readonly Change[], { metadata }: PromptParts): boolean {
  const times = changes.filter(({ is }) => TIMED.has(is))
  const said = metadata.find(({ root }) => root === 'said')?.fields as Json | undefined
  const isOne = times.length === 1 || movedAndLasting(changes) !== null
  return times.length === 0 || (isOne && textOf(said, 'changed') !== '')
}

/** The newest first. */
function cardsOf({ metadata, tools }: PromptParts): readonly Card[] {
  return metadata
    .filter(({ root }) => /^q\d+$/.test(root))
    .toSorted((one, other) => Number(other.root.slice(1)) - Number(one.root.slice(1)))
    .flatMap(({ root, action, fields }) => {
      const card = tools.find(({ id }) => id === action)
      const takes = Object.keys(card?.args ?? {}).map((name) => name.replace(/\?$/, ''))
      return card === undefined ? [] : [{ root, action, fields: fields as Json, takes }]
    })
}

/** Cards of home have odd numbers, and those of the edge even ones. */
function isNumbered(fields: Json, which: string): boolean {
  const number = Number(fieldOf(fields, 'number'))
  return [2 * number - 1, 2 * number].map(String).includes(which)
}

/** The call that waits, with these changes; null where it has nothing of the kind. */
function planOf(card: Card, changes: readonly Change[], parts: PromptParts): Plan | null {
  const args: Record<string, Argument> = Object.fromEntries(
    Object.keys(card.fields as object)
      .filter((name) => card.takes.includes(name))
      .map((name) => [name, ref(`${card.root}.${name}`)]),
  )
  const before: Steps[] = []
  // How long it is counts from where it begins then.
  const ordered = changes.toSorted((one, other) => Number(one.is === 'lasts') - Number(other.is === 'lasts'))
  for (const change of ordered) {
    const made = changed(card, change, { parts, args, before })
    if (made === 'none') return null
    if (typeof made === 'string') return nothing(made)
  }
  // Of what a stranger's text decided, a planner is not shown everything: then nothing of it can be kept.
  const needed = Object.keys(parts.tools.find(({ id }) => id === card.action)?.args ?? {})
  if (needed.some((name) => !name.endsWith('?') && !Object.hasOwn(args, name)))
    return nothing(refusalOf(card))
  return { steps: [...before, call(`s${before.length + 1}`, card.action, args)], explanation: '' }
}

interface Making {
  readonly parts: PromptParts
  readonly args: Record<string, Argument>
  readonly before: Steps[]
}

/** Null once it is made; else why not, or `none` for a call that has nothing of the kind. */
function changed(card: Card, change: Change, making: Making): string | null {
  const { parts, args } = making
  switch (change.is) {
    case 'text': {
      const name = change.names.find((one) => card.takes.includes(one))
      const at = parts.request.lastIndexOf(change.text)
      if (name === undefined || at < 0) return 'none'
      // Where it stands in the message, so that it stays the owner's own words.
      args[name] = ref(`said.words[${at}][${at + change.text.length}]`)
      return null
    }
    case 'people':
      return withPeople(card, change, making)
    case 'off':
      return withoutPerson(card, change.whom, args)
    default: {
      const moved = timesOf(card, change, making)
      if (moved === null) return 'none'
      Object.assign(args, moved)
      return null
    }
  }
}

function withPeople(
  card: Card,
  { whom, as, not }: Extract<Change, { is: 'people' }>,
  { parts, args, before }: Making,
): string | null {
  const instead = not === undefined ? null : placeOf(card, not)
  const name = instead?.name ?? PEOPLE[as].find((one) => card.takes.includes(one))
  if (name === undefined) return 'none'
  const known = recipientsOf(whom, parts)
  if (known === null) return unknownPeople(whom) === 'contact_unknown' ? 'nobody_to_add' : 'not_changed'
  // Of a name that fits several, the choice is the first step.
  if (known.before.length > 0 && before.length > 0) return 'not_changed'
  before.push(...known.before)
  const kind = parts.tools.find(({ id }) => id === card.action)?.args
  const isList = /^list |\[\]$/.test(kind?.[name] ?? kind?.[`${name}?`] ?? '')
  const there = itemsOf(fieldOf(card.fields, name), 'items').flatMap((_, at) =>
    at === instead?.at ? [] : [ref(`${card.root}.${name}[${at}]`)],
  )
  const former = as === 'to' && instead === null ? [] : there
  // An answer goes to one: whoever is added to it would take that place.
  if (!isList && (known.to.length !== 1 || as === 'more')) return 'not_changed'
  args[name] = isList ? [...former, ...(known.to as Argument[])] : (known.to[0] as Argument)
  return null
}

/** Whoever is alone in an argument that has to stay is not left out. */
function withoutPerson(card: Card, whom: string, args: Record<string, Argument>): string | null {
  const found = placeOf(card, whom)
  if (found === null) return 'none'
  const { name, at } = found
  const left = itemsOf(fieldOf(card.fields, name), 'items').flatMap((_, other) =>
    other === at ? [] : [ref(`${card.root}.${name}[${other}]`)],
  )
  if (left.length === 0 && name === 'to') return 'none'
  if (left.length === 0) delete args[name]
  else args[name] = left
  return null
}

/** Where somebody of this name stands on the card. */
function placeOf(
  { fields, takes }: Card,
  name: string,
): { readonly name: string; readonly at: number } | null {
  for (const one of Object.values(PEOPLE).flat()) {
    if (!takes.includes(one)) continue
    const known = itemsOf(fieldOf(fields, one), 'items').map((item) => textOf(item, 'known'))
    const [at, ...others] = fitting(name, known)
    if (at !== undefined && others.length === 0) return { name: one, at }
  }
  return null
}

/**
 * The new times, each by a calculation with what the card has and what the message says; null where it has
 * none that could change.
 */
function timesOf(
  { root, fields, takes }: Card,
  change: Extract<Change, { is: 'move' | 'whole_day' | 'lasts' | 'till' }>,
  { args, before }: Pick<Making, 'args' | 'before'>,
): Readonly<Record<string, Argument>> | null {
  const has = (name: string): boolean => takes.includes(name) && textOf(fields, name) !== ''
  const start = ['from', 'at', 'due'].find(has)
  const [to, by] = [ref('said.changedTo'), ref('said.changedBy')]
  const made = (op: string, of: readonly Argument[], unit = 'minutes'): Argument => {
    const id = `s${before.length + 1}`
    const isLong = op === 'shift' || op === 'difference'
    before.push({ id, do: 'compute', op, ...(isLong && { unit }), of } as unknown as Steps)
    return ref(id)
  }
  if (change.is === 'lasts')
    return has('to') && has('from')
      ? // From where it begins now, which may have been moved before.
        { to: made('shift', [args['from'] ?? ref(`${root}.from`), by]) }
      : null
  if (change.is === 'till')
    return has('to') ? { to: startOf(change.move.move, { was: ref(`${root}.to`), to, by }, made) } : null
  if (change.is === 'move' && change.move.move === 'length')
    return has('to') ? { to: made('shift', [ref(`${root}.to`), by]) } : null
  if (start === undefined) return null
  const was = ref(`${root}.${start}`)
  if (change.is === 'whole_day') {
    if (start !== 'from' || !has('to')) return null
    const from = made('on_day', [to, was])
    return { from, to: made('shift', [from, by], 'days') }
  }
  // The length is taken before its beginning moves.
  const length = start === 'from' && has('to') ? made('difference', [ref(`${root}.to`), was]) : null
  const from = startOf(change.move.move, { was, to, by }, made)
  return { [start]: from, ...(length !== null && { to: made('shift', [from, length]) }) }
}

function startOf(
  move: MoveReading['move'],
  { was, to, by }: Readonly<Record<'was' | 'to' | 'by', Argument>>,
  made: (op: string, of: readonly Argument[], unit?: string) => Argument,
): Argument {
  switch (move) {
    case 'days':
      return made('shift', [was, by], 'days')
    case 'day':
      return made('on_day', [was, to])
    case 'time':
      return made('on_day', [to, was])
    case 'half':
      return made('near', [made('on_day', [to, was]), was])
    case 'both_half':
      return made('near', [to, was])
    case 'both':
      return to
    default:
      return made('shift', [was, by])
  }
}
