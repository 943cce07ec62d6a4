/**
 * Web services that the owner names while home runs: parses what was typed, stores it until its card is answered, writes it into
 * config.toml after the transaction of the approval, and makes home use it at once. After a crash in between, the next start
 * writes it. Must not send a request, or hold a key. Called by wiring.ts.
 */
import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import { isOwnAddress } from '../../integrations/models/provider-settings.ts'
import {
  fieldIn,
  HOST_KEYS,
  HTTP_LABELS,
  HTTP_LIMITS,
  type HttpLabel,
  type HttpSetting,
  keyFormIn,
  keyName,
  labelOf,
  originOfKey,
  requestName,
  UNLABELLED,
} from '../../integrations/tools/http/setting.ts'
import type { Webservice, WebserviceKeeper } from '../../kernel/features/webservices/port.ts'
import { LEVELS } from '../../kernel/flow/level.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { HomeNotes } from '../store/home-notes.ts'
import { createSealedNote, type SealedNotes } from '../store/sealed-note.ts'
import type { Config } from './config.ts'
import { canReplaceEntry, hasEntry, replaceEntry } from './config-edit.ts'
import { addressIn, fieldText, hostTable, isUnreachable, originIn, savedTable } from './http-settings.ts'
import { looksSecret } from './literal-secret.ts'

/**
 * Maximum number of stored entries (pending ones, and former ones that can be restored): a chat that proposes without end must
 * not fill memory.
 */
const MOST_KEPT = 80
const ID_CHARS = 12

const text = z.nullable(z.string())
const webservice = z.strictObject({
  ...{ id: z.string(), kind: z.enum(['host', 'request']), name: z.string(), address: z.string() },
  ...{ label: z.enum(LEVELS), key: text, secret: text, fields: z.readonly(z.array(z.string())) },
})
const entries = z.array(z.tuple([z.string(), webservice]))

export interface WebserviceInput extends SealedNotes {
  /** Notes in the database whose transaction records the approval. */
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  /** Key of home, so that an id or a digest reveals the host to nobody else. */
  readonly key: Uint8Array
  /** Path of the owner's own file. */
  readonly path: string
  readonly now: () => HttpSetting
  readonly renew: (next: HttpSetting) => void
  /** Reads that file again. */
  readonly configNow: () => Result<Pick<Config, 'http'>>
  /** Called after the file was changed. */
  readonly changed: () => void
  readonly fault: () => void
}

export interface NamedWebservices extends WebserviceKeeper {
  /** Call after a command changed the file. Refusals: those of the configuration. */
  reload(): Result<{ readonly hosts: number; readonly saved: number }>
}

export function createWebserviceKeeper(input: WebserviceInput): NamedWebservices {
  // Pending entries by digest, and former ones by id. Stored sealed, so a restart loses neither.
  const kept = new Map<string, Webservice>()
  const stored = createSealedNote(input, { name: 'webservices', record: 'http:webservices', shape: entries })
  let last: Promise<unknown> = stored
    .read()
    .then((read) => {
      for (const [key, one] of read ?? []) if (!kept.has(key)) kept.set(key, one)
      writeAgreed()
    })
    .catch(() => input.fault())
  const store = (): void => {
    last = last.then(() => stored.write([...kept])).catch(() => input.fault())
  }
  const digestOf = (words: string): string => digestWith(input.key, words)
  const made = (one: Omit<Webservice, 'id'>): Webservice => ({ ...one, id: idOf(input.key, one) })
  const named = (): readonly Webservice[] => {
    const { hosts, saved } = input.now()
    return [
      ...hosts.map(({ origin, label, key = null }) =>
        made({
          ...{ kind: 'host', name: origin, address: origin, label, key, fields: [] },
          secret: key === null ? null : keyName(origin),
        }),
      ),
      ...saved.map(({ name, url, label, fields }) =>
        made({
          ...{ kind: 'request', name, address: url, label, key: null, secret: null },
          fields: fields.map(fieldText),
        }),
      ),
    ]
  }
  const note = (key: string, one: Webservice): void => {
    kept.delete(key)
    kept.set(key, one)
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    store()
  }
  const reload: NamedWebservices['reload'] = () => {
    const config = input.configNow()
    if (!config.ok) return config
    input.renew(config.value.http)
    input.changed()
    return ok({ hosts: config.value.http.hosts.length, saved: config.value.http.saved.length })
  }
  const ofId = (id: string): Webservice | null => named().find((one) => one.id === id) ?? null
  const put = (before: Webservice | null, after: Webservice | null): Result<true> => {
    const [old, next] = [tableOf(before), tableOf(after)]
    // Equal if a crash came after the file was written.
    if (old !== next) {
      if (!replaceEntry(input.path, old, next)) return err('config_malformed')
      if (before !== null) note(before.id, before)
    }
    const read = reload()
    return read.ok ? ok(true) : read
  }

  const agreed = (): readonly string[] => input.notes.read('webservicesAgreed') ?? []
  /** Approvals except those for this id, which a newer one replaces. */
  const agreedBut = (id: string): string[] => agreed().filter((digest) => kept.get(digest)?.id !== id)
  const isWritten = (digest: string): boolean => {
    const one = kept.get(digest)
    const done = one === undefined ? ok(true) : put(ofId(one.id), one)
    if (done.ok) kept.delete(digest)
    else input.fault()
    return done.ok
  }
  /** Writes approved entries. One that cannot be written now, such as on a full disk, is written at the next start. */
  const writeAgreed = (): void => {
    const waiting = agreed()
    if (waiting.length === 0) return
    input.notes.write(
      'webservicesAgreed',
      waiting.filter((digest) => !isWritten(digest)),
    )
    store()
  }
  const writeSoon = (): void =>
    queueMicrotask(() => {
      try {
        writeAgreed()
      } catch {
        input.fault()
      }
    })

  /** Refuses to replace an entry that the owner wrote by hand. Checked before a card is created, not after it. */
  const replaceable = (one: Webservice): Result<Webservice> => {
    const known = named().find(({ id }) => id === one.id)
    const table = tableOf(known ?? null)
    return table === null || hasEntry(input.path, table) ? ok(one) : err('config_malformed')
  }

  return {
    named,
    reload,
    isOwn: ({ address }) => isOwnAddress(address),
    readHost(typed) {
      const origin = originIn(typed.host)
      if (!origin.ok || isUnreachable(origin.value)) return refused('host')
      const known = input.now().hosts.find((one) => one.origin === origin.value)
      const label = typed.label === null ? (known?.label ?? UNLABELLED) : labelIn(typed.label)
      if (label === null) return refused('label')
      const key = typed.key === null ? (known?.key ?? null) : keyFormIn(typed.key)
      const secret = key === null ? null : keyName(origin.value)
      if ((typed.key !== null && key === null) || (key !== null && secret === null)) return refused('key')
      if (known === undefined && input.now().hosts.length >= HTTP_LIMITS.hosts) return refused('host')
      const { value: name } = origin
      return replaceable(made({ kind: 'host', name, address: name, label, key, secret, fields: [] }))
    },
    readRequest(typed) {
      const name = requestName(typed.name.replace(/^["“']|["”']$/g, ''))
      if (name === null) return refused('name')
      const address = addressIn(typed.address)
      if (address === null) return refused('address')
      if (looksSecret(address)) return err('secret_in_call')
      const label =
        typed.label === null ? (labelOf(input.now(), address) ?? UNLABELLED) : labelIn(typed.label)
      if (label === null) return refused('label')
      const fields = (typed.fields ?? '').split(/,\s*|\s+(?:(?:and|und)\s+)?/).filter((one) => one !== '')
      const isRight = fields.length <= HTTP_LIMITS.fields && fields.every((one) => fieldIn(one) !== null)
      if (!isRight) return refused('fields')
      const isNew = !input.now().saved.some((one) => one.name === name)
      if (isNew && input.now().saved.length >= HTTP_LIMITS.saved) return refused('name')
      return replaceable(made({ kind: 'request', name, address, label, key: null, secret: null, fields }))
    },
    async hold(webservice) {
      const digest = digestOf(JSON.stringify(webservice))
      note(digest, webservice)
      await last
      return digest
    },
    settle(digest, isAgreed) {
      const one = kept.get(digest)
      if (!isAgreed) {
        kept.delete(digest)
        store()
        return ok(true)
      }
      if (one === undefined || agreed().includes(digest)) return err('approval_changed')
      if (!canReplaceEntry(input.path, tableOf(ofId(one.id)), tableOf(one))) return err('config_malformed')
      input.notes.write('webservicesAgreed', [...agreedBut(one.id), digest])
      // Written after the transaction of the approval, so that the file never names a service without a recorded approval.
      writeSoon()
      return ok(true)
    },
    remove(what) {
      const origin = originIn(what)
      const name = requestName(what.replace(/^["“']|["”']$/g, ''))
      const waiting = agreed().flatMap((digest) => kept.get(digest) ?? [])
      const one = [...named(), ...waiting].find(
        ({ id, kind, name: own }) =>
          id === what || (kind === 'request' ? own === name : origin.ok && own === origin.value),
      )
      if (one === undefined) return err('nothing_found')
      input.notes.write('webservicesAgreed', agreedBut(one.id))
      const gone = put(ofId(one.id), null)
      return gone.ok ? ok(one) : gone
    },
    async former(id) {
      await last
      return kept.get(id) ?? null
    },
  }
}

/** Name of a secret as shown in the audit: the key of a host is named by the host's keyed id only. */
export function auditedSecret(key: Uint8Array, name: string): string {
  const origin = name.startsWith(HOST_KEYS) ? originOfKey(name) : null
  return origin === null ? name : HOST_KEYS + idOf(key, { kind: 'host', name: origin })
}

function idOf(key: Uint8Array, { kind, name }: Pick<Webservice, 'kind' | 'name'>): string {
  return digestWith(key, JSON.stringify([kind, name]))
}

function digestWith(key: Uint8Array, words: string): string {
  return createHmac('sha256', key).update(`webservice ${words}`).digest('hex').slice(0, ID_CHARS)
}

function refused(path: string): Result<never> {
  return err('tool_arguments_invalid', { path })
}

const SPOKEN: Readonly<Record<string, HttpLabel>> = {
  ...{ private: 'sensitive', privat: 'sensitive', intern: 'internal', öffentlich: 'public' },
}

function labelIn(typed: string): HttpLabel | null {
  const text = typed.trim().toLowerCase()
  return (
    HTTP_LABELS.find((one) => one === text) ?? (Object.hasOwn(SPOKEN, text) ? (SPOKEN[text] ?? null) : null)
  )
}

/** The entry as text of config.toml. */
function tableOf(one: Webservice): string
function tableOf(one: Webservice | null): string | null
function tableOf(one: Webservice | null): string | null {
  if (one === null) return null
  const { kind, name, address, label: level, key, fields } = one
  const label = HTTP_LABELS.find((one) => one === level) ?? UNLABELLED
  return kind === 'host'
    ? hostTable({ origin: address, label, ...(key !== null && { key }) })
    : savedTable({ name, url: address, label, fields: [...fields] })
}
