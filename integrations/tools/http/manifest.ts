/**
 * Web services without a tool of their own (I-21): one read by its address, the reads that the owner saved by name, and one write, which always asks.
 * Addresses are destinations: typed by the owner, or approved on a card. No redirect leaves the host. Must not contain code of a call. Called by both places' registries and run.ts.
 */

import { digestOf } from '../../../kernel/flow/digest.ts'
import type { ScalarSpec } from '../../../kernel/flow/field.ts'
import type { AccountSpec, ConnectSpec, ToolManifest } from '../../../kernel/tool/manifest.ts'
import { HTTP_LIMITS, type HttpSetting, keyedHost, keyName, NO_HTTP, type SavedRequest } from './setting.ts'

/** UTF-16 units. What is sent is shown whole on a card. */
export const HTTP_TEXT = Object.freeze({ name: 60, value: 500, body: 20_000, sent: 4_000 })

export const METHODS = Object.freeze(['POST', 'PUT', 'PATCH', 'DELETE'] as const)
export const BODY_TYPES = Object.freeze(['json', 'form', 'text'] as const)
/** Who may know what is sent to a host: by the label that the owner gave it. */
export const READERS = Object.freeze(['public', 'internal', 'sensitive', 'not_named'] as const)

const ADDRESS = { kind: 'url', destination: true } as const
const BODY = { kind: 'text', max: HTTP_TEXT.body } as const

const READ = {
  ...({ semantics: 'read', capability: 'http:read', ceiling: 'public', compartment: null } as const),
  ...({ sink: null } as const),
  offline: {
    policy: { do: 'refuse' },
    why: 'home knows which hosts the owner named, and how they are labelled',
  },
} as const

/** A closed set needs one value at least. */
const NOTHING = ['none'] as const

export function httpManifest(setting: HttpSetting): ToolManifest {
  const { saved } = setting
  const fields = saved.flatMap((request) => request.fields)
  const values = [...new Set(fields.flatMap((field) => field.values))]
  const closed = (found: readonly string[]): ScalarSpec => ({
    kind: 'enum',
    values: found.length === 0 ? NOTHING : found,
  })
  return Object.freeze<ToolManifest>({
    name: 'http',
    version: '1.0.0',
    ownerOnly: true,
    places: ['home'],
    network: ['*', ...portsOf(setting)],
    redirects: 'same_host',
    credential: null,
    ...accountsIn(setting),
    actions: [
      {
        ...READ,
        id: 'http.saved',
        description: describing(saved.map(({ name }) => name)),
        terms: saved.flatMap(({ name }) => name.split(' ')),
        called: {
          argument: 'name',
          names: saved.map(({ name }) => name),
          versions: Object.fromEntries(saved.map((one) => [one.name, versionOf(setting, one)])),
        },
        reaches: 'sensitive',
        raises: 'sensitive',
        args: { kind: 'record', fields: { name: { kind: 'text', max: HTTP_TEXT.name } } },
        output: {
          kind: 'record',
          fields: {
            name: { kind: 'text', max: HTTP_TEXT.name },
            values: {
              kind: 'list',
              max: HTTP_LIMITS.fields,
              of: {
                kind: 'record',
                fields: {
                  field: closed([...new Set(fields.map(({ name }) => name))]),
                  number: { kind: 'number', optional: true },
                  date: { kind: 'date', optional: true },
                  yes: { kind: 'boolean', optional: true },
                  no: { kind: 'boolean', optional: true },
                  one: { ...closed(values), optional: true },
                  text: { kind: 'text', max: HTTP_TEXT.value, optional: true },
                },
              },
            },
            /** The whole answer, where the owner declared no field. */
            text: { ...BODY, optional: true },
          },
        },
      },
      {
        ...READ,
        id: 'http.request',
        description:
          'What a web service answers at an address, as it is (GET; JSON or text). For pages of the web: web.read.',
        terms: ['api', 'http', 'get', 'json', 'endpoint', 'curl'],
        reaches: 'public',
        // What a host gives that the owner did not label counts as private.
        raises: 'sensitive',
        args: { kind: 'record', fields: { url: ADDRESS } },
        output: {
          kind: 'record',
          fields: { status: { kind: 'number' }, text: BODY, cut: { kind: 'boolean' } },
        },
      },
      {
        ...READ,
        id: 'http.requests',
        description: 'The names of the requests to web services that the owner saved.',
        reaches: 'sensitive',
        ceiling: 'internal',
        args: { kind: 'record', fields: {} },
        output: {
          kind: 'record',
          fields: {
            requests: {
              kind: 'list',
              max: HTTP_LIMITS.saved,
              of: {
                kind: 'record',
                fields: {
                  name: { kind: 'text', max: HTTP_TEXT.name },
                  host: { kind: 'text', max: 300 },
                  fields: { kind: 'text', max: 600 },
                },
              },
            },
          },
        },
      },
      {
        ...READ,
        id: 'http.host',
        description: 'How the owner labelled the host of an address, if at all. Asks nobody.',
        reaches: 'sensitive',
        args: { kind: 'record', fields: { url: { kind: 'url' } } },
        output: { kind: 'record', fields: { host: { kind: 'enum', values: READERS } } },
      },
      {
        id: 'http.send',
        description: 'Send to a web service at an address: method, body as typed.',
        terms: ['api', 'http', 'post', 'put', 'patch', 'delete', 'webhook', 'endpoint', 'call', 'json'],
        semantics: 'write',
        capability: 'http:write',
        ceiling: 'sensitive',
        compartment: null,
        reaches: 'sensitive',
        sink: 'sink:http:host',
        asks: 'always',
        offline: { policy: { do: 'refuse' }, why: 'a write that happens long after it was wanted surprises' },
        args: {
          kind: 'record',
          fields: {
            method: { kind: 'enum', values: METHODS },
            url: ADDRESS,
            body: { kind: 'text', max: HTTP_TEXT.sent, optional: true },
            as: { kind: 'enum', values: BODY_TYPES, optional: true },
          },
        },
        target: {
          by: 'http.host',
          given: { url: 'url' },
          field: 'host',
          reaches: { public: 'public', internal: 'internal', sensitive: 'sensitive', not_named: 'public' },
        },
        output: {
          kind: 'record',
          fields: { status: { kind: 'number' }, text: { ...BODY, optional: true }, cut: { kind: 'boolean' } },
        },
        done: 'it is sent.',
      },
    ],
  })
}

/** A host with a key is an account: its key goes to it alone, and behind the client, so that no code of this tool sees it. */
function accountsIn({ hosts }: HttpSetting): Pick<ToolManifest, 'accounts'> {
  const accounts = hosts.flatMap(({ origin, key }): AccountSpec[] => {
    const url = URL.parse(origin)
    const credential = keyName(origin)
    if (url === null || key === undefined || credential === null) return []
    const sends =
      key === 'bearer' || key === 'basic'
        ? ({ header: 'authorization', scheme: key === 'basic' ? 'Basic' : 'Bearer' } as const)
        : ({ header: key.toLowerCase(), scheme: null } as const)
    const network = [url.host]
    return [
      {
        ...{ name: origin, credential, account: null, network, sends: { origin, ...sends } },
        connect: connectOf(url, key),
      },
    ]
  })
  return accounts.length === 0 ? {} : { accounts }
}

function connectOf({ host, origin }: URL, key: string): ConnectSpec {
  const form =
    key === 'basic'
      ? 'Give the user name and the password in one word, with a colon between them.'
      : 'Give the key or token that this service gave you, without anything before it.'
  const where = key === 'basic' || key === 'bearer' ? 'Authorization' : key
  return {
    title: host,
    where: `${form} It is sent to ${origin} alone, in the header ${where}.`,
    // An address or a word of a conversation is no key. Shorter ones are given as a reply to the question.
    shape:
      key === 'basic'
        ? '(?!\\w+:\\/\\/)[^\\s:/]{1,100}:[\\x21-\\x7e]{7,400}'
        : '(?!\\w+:\\/\\/)(?=\\S*\\d)[\\x21-\\x7e]{20,800}',
    called: [origin, `${host} key`],
  }
}

/** Hex digits. */
const VERSION_DIGITS = 16

/** Of all that decides what a name asks for, and how. */
function versionOf(setting: HttpSetting, { url, label, fields }: SavedRequest): string {
  const declared = fields.map(({ name, path, kind, values }) => [name, [...path], kind, [...values]])
  const key = keyedHost(setting, url)?.key ?? null
  return digestOf([url, label, declared, key]).slice(0, VERSION_DIGITS)
}

/** Public hosts with a port of their own, which `*` does not cover. */
function portsOf({ hosts, saved }: HttpSetting): readonly string[] {
  const named = [...hosts.map(({ origin }) => origin), ...saved.map(({ url }) => url)]
  const ports = named.flatMap((text) => {
    const url = URL.parse(text)
    return url === null || url.port === '' || url.protocol !== 'https:' ? [] : [url.host]
  })
  return [...new Set(ports)]
}

/** Characters of the names that a planner is told. */
const TOLD = 120

function describing(names: readonly string[]): string {
  const head = 'A saved request of the owner to a web service, by its name'
  const told = names.filter((_, at) => names.slice(0, at + 1).join(', ').length <= TOLD).join(', ')
  return told === '' ? `${head}.` : `${head}: ${told}.`
}

export const HTTP_MANIFEST = httpManifest(NO_HTTP)
