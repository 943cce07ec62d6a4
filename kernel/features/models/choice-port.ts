/**
 * Changes which model is asked first (L-05): at once, unless a cloud model moves ahead by it; then a card says in plain words
 * what that model may read. Must not let a model read more: cloud-consent.ts does. Called by the operations on models.
 */
import { rankOf } from '../../flow/level.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AskingTime, OwnerChats, Templates } from '../../powers/ports.ts'
import type { ApprovalStore, GrantStore, StoreOf } from '../../powers/stores.ts'
import type { Template } from '../../template/template.ts'
import { tell } from '../../wording/words.ts'
import { propose } from '../approvals/change.ts'
import type { Proposer } from '../approvals/port.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import type { SettingStore } from '../quiet/port.ts'
import {
  type Choice,
  choiceOf,
  choiceWords,
  FIXED,
  keepChoice,
  LOCAL,
  SUBJECTS,
  type Subject,
} from './choice.ts'
import { acknowledgesCloud } from './consent.ts'
import type { ChoicePort, Chosen, ModelView } from './port.ts'

type ChoicePorts = DeliverPorts &
  Auditing &
  Templates &
  OwnerChats &
  AskingTime &
  StoreOf<SettingStore & ApprovalStore & GrantStore>

export function createChoice(powers: ChoicePorts): ChoicePort {
  const set = async (
    proposer: Proposer,
    next: Choice,
    views: readonly ModelView[],
  ): Promise<Result<Chosen>> => {
    const before = choiceOf(powers)
    const choice = choiceWords(next)
    const done = { choice, before: choiceWords(before) }
    if (choice === done.before) return err('model_chosen')
    const nearer = [...SUBJECTS, 'all' as const].filter((about) => isNearer(about, { before, next, views }))
    if (nearer.length === 0) {
      keepChoice(powers, choice)
      audit(powers, 'memory_changed', null, { what: 'models', did: 'set' })
      return ok({ ...done, approval: null })
    }
    const card = receive(cardOf(powers, { next, views }), kernelWords())
    const put = await propose(powers, proposer, {
      ...{ kind: 'admin_change', change: { do: 'model', choice }, card },
    })
    return put.ok ? ok({ ...done, approval: put.value.approval }) : put
  }
  return {
    read: () => choiceOf(powers),
    set,
    use(proposer, { model, about }, views) {
      const name = modelCalled(model, views)
      if (name === null) return Promise.resolve(err('model_unknown', { there: namesOf(views) }))
      const before = choiceOf(powers)
      // A choice for everything replaces all choices for single subjects.
      const kept = about === 'all' ? {} : without(before, about)
      return set(proposer, name === '' ? kept : { ...kept, [about]: name }, views)
    },
  }
}

function without(choice: Choice, about: Subject): Choice {
  return Object.fromEntries(Object.entries(choice).filter(([key]) => key !== about))
}

function namesOf(views: readonly ModelView[]): string {
  return views.length === 0 ? tell('models.none') : views.map(({ name }) => name).join(', ')
}

const ARTICLES =
  /^(?:the|my|a|an|your|das|mein|meine|dem|den|der|die|deine?|ein|eine)\s+|[\s-]+(?:models?|modelle?)$/giu
const HOME = /^(?:local|home|own|lokale[nrs]?|eigene[nrs]?|heimische[nrs]?)$/iu
const CLOUD = /^cloud$/iu
const BEFORE = /^(?:usual|default|normal|configured|other|übliche[nrs]?|normale[nrs]?)$/iu

/** Null for a model that is not set up; empty for the configured order. */
function modelCalled(said: string, views: readonly ModelView[]): string | null {
  const words = said.trim().replace(ARTICLES, '').replace(ARTICLES, '').toLowerCase()
  if (BEFORE.test(words)) return ''
  if (HOME.test(words)) return views.some(({ locality }) => locality === 'home') ? LOCAL : null
  if (CLOUD.test(words)) return views.find(({ locality }) => locality === 'cloud')?.name ?? null
  const isCalled = ({ name, kind, model }: ModelView): boolean =>
    [name, kind, ...model.split(/[^\p{L}\p{N}.]+/u)]
      .map((part) => part.toLowerCase())
      .some((part) => part.length >= LEAST && (part.startsWith(words) || words.endsWith(part)))
  return words.length < LEAST ? null : (views.find(isCalled)?.name ?? null)
}

/** Minimum letters of a model's name; shorter names would match by chance. */
const LEAST = 3

interface Change {
  readonly before: Choice
  readonly next: Choice
  readonly views: readonly ModelView[]
}

/** Whether the change asks a cloud model about this subject that was not asked before, or asks it earlier. */
function isNearer(about: Subject | 'all', { before, next, views }: Change): boolean {
  const of = (choice: Choice): string | undefined => choice[about] ?? choice.all
  const [was, is] = [of(before), of(next)]
  if (was === is || is === LOCAL) return false
  const cloudFirst = (name: string | undefined): boolean =>
    (name === undefined ? views.find(({ place }) => place === 1) : views.find((view) => view.name === name))
      ?.locality === 'cloud'
  const hasCloud = views.some(({ locality, place }) => locality === 'cloud' && place !== null)
  return cloudFirst(is) || (was === LOCAL && hasCloud)
}

/** Text of the card: what the model may read from then on, which no choice changes, and what it may not read. */
function cardOf(powers: ChoicePorts, { next, views }: Omit<Change, 'before'>): string {
  const clouds = views.filter(({ locality, name, place }) => {
    const isChosen = Object.values(next).includes(name)
    return locality === 'cloud' && (isChosen || (place !== null && !isOnlyHome(next)))
  })
  return [
    tell('models.card', { what: orderWords(next) }),
    ...clouds.map(({ model, host }) => tell('models.card_whom', { model, host })),
    ...readsWords(powers),
    tell('models.card_back'),
  ].join('\n')
}

function isOnlyHome(choice: Choice): boolean {
  return Object.values(choice).every((name) => name === LOCAL) && choice.all === LOCAL
}

/** The order in words, with one line for each subject that has a choice of its own. */
export function orderWords(choice: Choice): string {
  const name = (of: string): string => (of === LOCAL ? tell('models.only_home') : of)
  const all =
    choice.all === undefined
      ? tell('models.order_usual')
      : tell('models.order_all', { model: name(choice.all) })
  return [
    all,
    ...SUBJECTS.flatMap((subject) => {
      const of = choice[subject]
      return of === undefined
        ? []
        : [tell('models.order_about', { about: tell(`models.about_${subject}`), model: name(of) })]
    }),
  ].join('\n')
}

/** What a cloud model may read now. It never reads more, whichever model is asked first. */
function readsWords(powers: ChoicePorts): readonly string[] {
  const private_ = powers.templates.filter(mayHoldPrivate)
  const open = private_.filter(({ id }) => acknowledgesCloud(powers, id))
  const plain = powers.templates.filter((one) => !mayHoldPrivate(one) && !isFixed(one))
  return [
    ...(plain.length === 0
      ? []
      : [tell('models.reads_open', { what: plain.map(({ description }) => description).join('; ') })]),
    ...open.map(({ description, id }) => tell('models.reads_private', { description, id })),
    ...(open.length === 0 ? [tell('models.reads_no_private')] : []),
    tell('models.reads_never'),
  ]
}

function mayHoldPrivate({ ceiling }: Template): boolean {
  return rankOf(ceiling.level) > rankOf('internal')
}

/** Whether the template never asks a cloud model, whatever is chosen. */
function isFixed({ inference: { provider } }: Template): boolean {
  return FIXED.includes(provider)
}
