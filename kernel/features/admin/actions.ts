/**
 * The actions by which a model's plan asks for the owner's operations (DESIGN §9): one for each that is `plannable`, of its own words and arguments, and
 * three for what is no operation. They are found by a request, or by a search for tools, and stand in no prompt else. Data only. Joined in
 * powers/home-actions.ts.
 */
import WORDS from '#feature-words' with { type: 'json' }
import type { FieldSpec } from '../../flow/field.ts'
import { type ActionManifest, REFUSE } from '../../tool/manifest.ts'
import ROWS from './plannable.json' with { type: 'json' }

/** UTF-16 units of one argument: each is a name, a time or a few words. */
const ARGUMENT_MAX = 300
/** UTF-16 units of an answer, as told in a chat. */
const SAID_MAX = 16_000
/** Values of a list, such as the templates of an invitation. */
const LIST_MAX = 20

/** Names of arguments that a step of a plan has for something else, and what they are called beside it. */
const CALLED: Readonly<Record<string, string>> = { when: 'times' }

const FAMILY = 'admin.'

const SHARED = {
  compartment: null,
  ceiling: 'public',
  reaches: 'regulated',
  doing: 'noting',
  sought: true,
  offline: { policy: REFUSE, why: 'home alone sets up what is its own' },
  output: {
    kind: 'record',
    fields: {
      said: { kind: 'text', max: SAID_MAX },
      /** What it would widen is asked about on a card of its own. */
      card: { kind: 'boolean', optional: true },
    },
  },
} as const

interface Words {
  readonly summary: string
  readonly args?: Readonly<Record<string, string>>
  readonly finds?: readonly string[]
}

const OF: Readonly<Record<string, Words>> = WORDS.operations

/** What is set up by talking, and is no operation: each is answered as the owner's own sentence is. */
export const SERVICE_CONNECT = 'admin.service_connect'
export const SERVICE_ROTATE = 'admin.service_rotate'
export const STATUS = 'admin.status'

const SERVICE = {
  kind: 'record',
  fields: { which: { kind: 'text', max: ARGUMENT_MAX } },
} as const

/** What shows, and neither changes nor asks anything. */
const LOOKS: ReadonlySet<string> = new Set([
  STATUS,
  ...ROWS.filter(({ effect }) => effect === 'read').map(({ name }) => idOf(name)),
])

export function isSetting(id: string): boolean {
  return id.startsWith(FAMILY)
}

export function isLook(id: string): boolean {
  return LOOKS.has(id)
}

function idOf(operation: string): string {
  return `${FAMILY}${operation.replace('.', '_')}`
}

/** `sink`: that of home's memory. */
export function adminActions(sink: string): readonly ActionManifest[] {
  return [
    {
      ...SHARED,
      id: SERVICE_CONNECT,
      semantics: 'read',
      widens: true,
      description:
        'Connect a service: asks for its key beside the plan, so no argument holds one; which: its name.',
      progress: 'asking for an access',
      terms: [
        'add integrate link hook bring part account hinzufügen verbinden anbinden anschließen verknüpfen dazunehmen dienst',
      ],
      args: SERVICE,
      sink: null,
    },
    {
      ...SHARED,
      id: SERVICE_ROTATE,
      semantics: 'read',
      widens: true,
      description:
        'Another key for a connected service: asks for it beside the plan, so no argument holds one; which: its name.',
      progress: 'asking for an access',
      terms: [
        'rotate renew replace swap fresh new credential token secret password erneuern tauschen tausch neu geheimnis schlüssel zugang passwort',
      ],
      args: SERVICE,
      sink: null,
    },
    {
      ...SHARED,
      id: STATUS,
      semantics: 'read',
      description: 'How the assistant is set up: what is connected, runs, waits and does not work.',
      progress: 'looking at how I am set up',
      terms: ['status state health healthy working running zustand eingerichtet verbunden läuft'],
      args: { kind: 'record', fields: {} },
      sink: null,
    },
    ...ROWS.map(({ name, effect, args }): ActionManifest => {
      const { summary, args: about = {}, finds = [] } = wordsOf(name)
      const taken = args.map(({ name: arg }) => `; ${calledOf(arg)}: ${about[arg] ?? ''}`).join('')
      return {
        ...SHARED,
        id: idOf(name),
        operation: name,
        // What widens puts a card and changes nothing: the card's yes does.
        semantics: effect === 'write' ? 'write' : 'read',
        ...(effect === 'widen' && { widens: true }),
        description: `${capital(summary.split(';')[0] ?? '')}${taken}.`,
        progress: effect === 'read' ? 'looking at how I am set up' : 'changing how I am set up',
        // An exact phrase needs no plan, so its words find nothing for one.
        terms: finds,
        args: {
          kind: 'record',
          fields: Object.fromEntries(args.map((one) => [calledOf(one.name), fieldOf(one)])),
        },
        ...(effect === 'write' && { asks: 'always', card: { ask: summary } }),
        sink: effect === 'write' ? sink : null,
      }
    }),
  ]
}

function calledOf(name: string): string {
  return CALLED[name] ?? name
}

/** The name that the operation itself has for an argument. */
export function operationArg(name: string): string {
  return Object.keys(CALLED).find((own) => CALLED[own] === name) ?? name
}

/** Throws for an operation without words, as its definition does. */
function wordsOf(name: string): Words {
  const words = OF[name]
  if (words === undefined) throw new Error(`${name} has no words`)
  return words
}

function fieldOf({ typed, optional }: { readonly typed: string; readonly optional: boolean }): FieldSpec {
  const may = optional ? ({ optional } as const) : {}
  const text = { kind: 'text', max: ARGUMENT_MAX } as const
  if (typed === 'list') return { kind: 'list', max: LIST_MAX, of: text, ...may }
  if (typed === 'yes') return { kind: 'boolean', ...may }
  return typed === 'text' ? { ...text, ...may } : { kind: 'number', ...may }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
