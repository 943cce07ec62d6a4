/**
 * Suggestions after a request that no tool can do (I-39): a service to connect, a web service to name, and, if a model says that
 * no tool fits, the owner's own sentence or the nearest ability. Only for the owner, on a line where a service can be connected;
 * declared words alone. Must not connect anything. Called by synthesize.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { isKernelEffect, lookUpAction } from '../../powers/effects.ts'
import type { Actions, CredentialService, OwnerChats, Tools } from '../../powers/ports.ts'
import { nearTools } from '../../prompt/tool-ranking.ts'
import type { Findable } from '../../prompt/tool-terms.ts'
import { FIND_TOOLS } from '../../task/plan.ts'
import type { Task } from '../../task/task.ts'
import type { Template } from '../../template/template.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { helpWords } from '../../tool/worded.ts'
import { type Saying, tell } from '../../wording/words.ts'
import { offWords } from '../tools/switched.ts'
import { ownOperations, sentenceFor } from './own-sentence.ts'

/** Maximum services that are suggested; a longer list would be an advertisement. */
const MOST = 2
/** Words of a request for some web service. */
const INTERFACE = /\b(?:apis?|endpoints?|web ?services?|webhooks?|schnittstellen?|webdienste?)\b|https?:\/\//i

export type OfferPorts = Actions & Tools & CredentialService & OwnerChats

/**
 * Sentences of the kernel; none if a step ran, for anybody but the owner, and where nothing can be connected. `byModel`: a model
 * wrote the answer, so the nearest ability is not in it yet.
 */
export function offersFor(
  powers: OfferPorts,
  task: Task,
  about: {
    readonly template: Template
    readonly request: Labeled<string>
    readonly byModel: boolean
  },
): readonly string[] {
  const { template, request } = about
  const steps = task.path === 'full' ? (task.plan?.steps ?? null) : null
  // A search for tools does not count as a step that did something.
  const isEmpty = steps?.every((step) => step.do === 'tool' && step.tool === FIND_TOOLS) === true
  const isOwn = template.principalClass === 'owner' && powers.adminSinks.includes(task.sink)
  if (!isEmpty || !isOwn) return []
  const actions = template.tools.flatMap((id) => {
    const found = lookUpAction(powers.registry, id)
    return found.ok ? [found.value] : []
  })
  const isAnyNear = about.byModel && task.leftOut !== undefined && task.words.taint.level === 'clean'
  const near = isAnyNear ? nearTo(powers, actions, request) : NONE_NEAR
  const named = powers.credentials === undefined ? [] : namedIn(powers, actions, request)
  const services = named.length > 0 || powers.credentials === undefined ? [] : near.services
  return [
    ...(near.sentence === null ? [] : [tell('credentials.own_sentence', { sentence: near.sentence })]),
    ...(near.ability === null ? [] : [tell('credentials.nearest', { ability: near.ability })]),
    ...named,
    ...services.map(offerOf),
  ]
}

/** Suggestions for services that the request names, and for web services in general. */
function namedIn(
  powers: OfferPorts,
  actions: readonly RegisteredAction[],
  request: Labeled<string>,
): readonly string[] {
  const isNamed = ([service, title]: Service): boolean =>
    test(request, (words) => says(words, service) || says(words, title))
  const lacking = servicesOf(powers, actions, 'credential').filter(isNamed)
  if (lacking.length > 0) return lacking.slice(0, MOST).map(offerOf)
  const off = servicesOf(powers, actions, 'off').find(isNamed)
  if (off !== undefined) return [offWords(off[1])]
  const isOpen = actions.some(({ called }) => called !== undefined)
  return isOpen && test(request, (words) => INTERFACE.test(words)) ? [tell('credentials.offer_own')] : []
}

interface Near {
  /** Sentence with which the owner can do it, if no plan may do it and no tool is nearer. */
  readonly sentence: string | null
  /** The nearest thing that PFAR can do, in words for people. */
  readonly ability: string | null
  /** Services that could do more of it if they were connected. */
  readonly services: readonly Service[]
}

const NONE_NEAR: Near = Object.freeze({ sentence: null, ability: null, services: Object.freeze([]) })

/**
 * Ranks by the words of the declarations, like the search for tools: the nearest action that can be used, and the service of a
 * nearer one that cannot. Lookups for a card are no abilities.
 */
function nearTo({ tools }: Tools, actions: readonly RegisteredAction[], request: Labeled<string>): Near {
  const lookups = new Set(actions.flatMap(({ target, remarks }) => [target?.by ?? '', remarks?.by ?? '']))
  const asked = actions.filter((action) => !lookups.has(action.id) && abilityOf(action) !== null)
  const ofState = (state: ReturnType<Tools['tools']['availability']>): readonly RegisteredAction[] =>
    asked.filter((action) => tools.availability(action) === state)
  const own = asked.filter(({ id }) => isKernelEffect(id))
  const [usable, lacking] = [[...new Set([...own, ...ofState('here')])], ofState('credential')]
  for (const own of ownOperations()) {
    const all = [...own, ...usable, ...lacking]
    const ranked = derive(request, (words) => nearTools(all, words))
    const sentence = sentenceFor(firstOf(ranked, all))
    if (sentence !== null) return { ...NONE_NEAR, sentence }
  }
  const ranking = derive(request, (words) => nearTools([...usable, ...lacking], words))
  const isIn = (some: readonly RegisteredAction[], id: string): boolean => some.some((one) => one.id === id)
  const nearest = usable.find(({ id }) => test(ranking, (ids) => ids.find((one) => isIn(usable, one)) === id))
  // Nearer than every action that can be used.
  const nearer = lacking.find(({ id }) => test(ranking, ([first]) => first === id))
  return {
    sentence: null,
    ability: nearest === undefined ? null : abilityOf(nearest),
    services: nearer === undefined ? [] : serviceOf(nearer),
  }
}

/** Id of the nearest one; empty if none is near. */
function firstOf(ranking: Labeled<readonly string[]>, all: readonly Findable[]): string {
  return all.find(({ id }) => test(ranking, ([first]) => first === id))?.id ?? ''
}

/** The kernel's own abilities, which no tool package has words for. */
const OWN: Readonly<Record<string, Saying>> = Object.freeze({
  'reminder.set': 'rules.can_reminder_set',
  'reminder.about': 'rules.can_reminder_about',
  'reminder.later': 'rules.can_reminder_later',
  'reminder.change': 'rules.can_reminder_change',
  'reminder.cancel': 'rules.can_reminder_cancel',
  'task.add': 'rules.can_task_add',
  'task.done': 'rules.can_task_done',
  'memory.save': 'rules.can_memory_save',
  'memory.search': 'rules.can_memory_search',
})

function abilityOf(action: RegisteredAction): string | null {
  const own = Object.hasOwn(OWN, action.id) ? OWN[action.id] : undefined
  return own === undefined ? (helpWords(action) ?? null) : tell(own)
}

type Service = readonly [credential: string, title: string]

function offerOf([service, title]: Service): string {
  return tell('credentials.offer', { service, title: capital(title) })
}

/** Services without duplicates. */
function servicesOf(
  { tools }: Tools,
  actions: readonly RegisteredAction[],
  state: 'credential' | 'off',
): readonly Service[] {
  return [
    ...new Map(
      actions.filter((action) => tools.availability(action) === state).flatMap((action) => serviceOf(action)),
    ),
  ]
}

/** Name of the credential, and name of the service. */
function serviceOf({ tool: { credential, connect } }: RegisteredAction): readonly Service[] {
  return credential === null || connect === undefined ? [] : [[credential, connect.title]]
}

/** Whether the words contain the name as a whole word, in any case. */
function says(words: string, name: string): boolean {
  const plain = (text: string): string =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `
  return plain(words).includes(plain(name))
}

function capital(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1)
}
