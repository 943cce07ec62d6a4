/**
 * Activates and deactivates chats at home (H-13, L-12, L-18): tests a credential before it is stored, searches for the owner's chat
 * one at a time, and cleans up after a cancelled activation. Must not put a value into a reason, or choose the next step: the
 * kernel does. Called by the shell through `Powers.channels`, by the credential service, and by `pfar connect`.
 */

import * as z from 'zod/mini'
import type { Activatable, HomeChannel } from '../../integrations/channels/runtime/home-package.ts'
import type { HomeChannels } from '../../kernel/features/channels/channel-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { channelNeed, fitsShape } from '../../kernel/tool/channel.ts'
import { tell } from '../../kernel/wording/words.ts'
import type { Config } from '../config/config.ts'
import type { CustodyKind } from '../keys/custody.ts'
import { type Methods, method } from '../line/method.ts'
import type { CredentialService, Looked } from '../secrets/credential-service.ts'
import type { SecretService, SecretView } from '../secrets/secret-service.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { HomeNotes, Note } from '../store/home-notes.ts'

interface ChannelServiceInput {
  readonly channels: readonly Activatable[]
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  readonly secretService: Pick<SecretService, 'set' | 'delete' | 'list'>
  readonly secrets: Pick<SecretStore, 'find'>
  readonly custody: CustodyKind
  /** From this call on the value is redacted, whether or not it is stored. */
  readonly learn: (name: string, value: string) => void
  /** The connected chats have changed, so the assistant's description is out of date (H-14). */
  readonly changed: () => void
  /** A credential was given; the shell determines the next step. */
  readonly given: () => void
  /** Sends to the owner in this chat or, if it is deactivated, in another. */
  readonly tell: (words: string, sink: string) => void
  readonly fault: (part: string) => void
}

export interface ChannelService extends HomeChannels, Pick<CredentialService, 'give' | 'look'> {
  /** Whether a chat uses the credential of this name. */
  owns(service: string): boolean
  /** Secret service that also tests and activates a chat's credential. */
  readonly accepting: Pick<SecretService, 'set'>
  /** Ends the search; it resumes at the next start. */
  stop(): void
}

interface Search {
  readonly key: string
  readonly ending: AbortController
  readonly found: Promise<Result<boolean>>
}

export function createChannelService(input: ChannelServiceInput): ChannelService {
  const { channels, notes, secretService, secrets, changed } = input
  const adapters = channels.map(({ adapter }) => adapter)
  const named = (name: string): Activatable | undefined =>
    channels.find(({ adapter }) => adapter.name === name)
  const has = (service: string): boolean => secrets.find(service) !== null
  const note: HomeChannels['note'] = (now) => notes.write('activating', now)
  let search: Search | null = null
  /** While a value is being stored, no next step starts. */
  let storing = 0

  const endSearch = (): void => {
    search?.ending.abort()
    search = null
  }
  const forget = async ({ adapter }: Activatable): Promise<void> => {
    for (const { service: name } of adapter.needs) {
      const asked = has(name) ? await secretService.delete({ name }) : null
      if (asked?.ok === true && asked.value.check !== undefined)
        await secretService.delete({ name, check: asked.value.check })
    }
  }

  const give: CredentialService['give'] = async (service, value, allowDevelopmentKey = false) => {
    const known = channelNeed({ adapters }, service)
    const channel = named(known?.adapter.name ?? '')
    if (known === null || channel === undefined) return err('tool_unknown', { credential: service })
    if (has(service)) return err('credential_mismatch', { credential: service })
    if (input.custody === 'development' && !allowDevelopmentKey) return err('key_development')
    if (!fitsShape(known.need, value)) return err('field_malformed', { credential: service })
    input.learn(service, value)
    const checked = await channel.check(service, value)
    if (!checked.ok) return checked
    const before = notes.read('activating')
    const { name } = known.adapter
    storing += 1
    try {
      note({ channel: name, question: null, sink: before?.channel === name ? before.sink : null })
      const { tools, hosts } = channel.scope
      const scope = { tools: [...tools], hosts: [...hosts], actions: [] }
      const stored = await secretService.set({
        name: service,
        kind: 'token',
        value,
        ...scope,
        allowDevelopmentKey,
      })
      if (!stored.ok) note(before)
      // A chat that is connected anew is not the one that was agreed to be left.
      else
        notes.write(
          'leaving',
          toLeave().filter((one) => one.channel !== name),
        )
      return stored.ok ? ok('stored') : stored
    } finally {
      storing -= 1
      input.given()
    }
  }

  const toLeave = (): Note<'leaving'> => notes.read('leaving') ?? []
  const leaveAll = async (): Promise<void> => {
    for (const { channel: name, sink } of toLeave()) {
      const channel = named(name)
      try {
        if (channel !== undefined) await left(channel, sink)
      } catch {
        // Another chat is left all the same; this one again at the next start.
        input.fault('leaving a chat')
        continue
      }
      notes.write(
        'leaving',
        toLeave().filter((one) => one.channel !== name),
      )
    }
  }
  // After the transaction of the approval, of which the note is a part, and in the background: the approval may have come
  // through the chat that is being closed.
  let leaving: Promise<void> = Promise.resolve()
  const leaveSoon = (): void => {
    setImmediate(() => {
      leaving = leaving.then(leaveAll).catch(() => input.fault('leaving a chat'))
    })
  }
  // A crash may have come between.
  if (toLeave().length > 0) leaveSoon()

  return {
    has,
    note,
    give,
    owns: (service) => channelNeed({ adapters }, service) !== null,
    accepting: {
      async set(secret) {
        if (channelNeed({ adapters }, secret.name) === null) return secretService.set(secret)
        const given = await give(secret.name, secret.value, secret.allowDevelopmentKey)
        return given.ok ? viewOf(secretService, secret.name) : given
      },
    },
    async look(service, value): Promise<Result<Looked>> {
      const channel = named(channelNeed({ adapters }, service)?.adapter.name ?? '')
      const checked = (await channel?.check(service, value)) ?? err('tool_unknown')
      return checked.ok ? ok({ tried: true, account: checked.value }) : checked
    },
    isActive: (name) => {
      const channel = named(name)
      return channel?.isActive() === true && channel.adapter.needs.every(({ service }) => has(service))
    },
    chat: (name) => named(name)?.sink ?? null,
    activating: () => (storing > 0 ? null : notes.read('activating')),
    account: async (name) => (await named(name)?.account()) ?? err('sink_unknown'),
    async find(name, code) {
      const channel = named(name)
      if (channel === undefined) return err('sink_unknown')
      const key = `${name}:${code}`
      if (search?.key === key) return search.found
      endSearch()
      const ending = new AbortController()
      const found = channel.find(code, ending.signal).finally(() => {
        if (search?.key === key) search = null
      })
      search = { key, ending, found }
      const ended = await found
      if (ended.ok && ended.value) changed()
      return ended
    },
    async drop(name) {
      endSearch()
      const channel = named(name)
      if (channel !== undefined) await forget(channel)
      note(null)
    },
    leave(name, sink) {
      if (named(name) === undefined) return
      notes.write('leaving', [...toLeave().filter((one) => one.channel !== name), { channel: name, sink }])
      leaveSoon()
    },
    trouble: (refusal) => channels.map((one) => one.trouble(refusal)).find((words) => words !== null) ?? null,
    stop: endSearch,
  }

  async function left(channel: Activatable, sink: string): Promise<void> {
    const byHand = await channel.leave()
    await forget(channel)
    changed()
    const { title, name } = channel.adapter
    const rest = byHand === null ? '' : tell('channels.by_hand', { what: byHand })
    input.tell(tell('channels.left', { title, name }) + rest, sink)
  }
}

function viewOf({ list }: Pick<SecretService, 'list'>, name: string): Result<SecretView> {
  const stored = list().find((one) => one.name === name)
  return stored === undefined ? err('credential_missing', { credential: name }) : ok(stored)
}

/** Directs a credential to the service that tests and stores it: a chat's to `channels`, any other to `tools`. */
export function withChannels(tools: CredentialService, channels: ChannelService): CredentialService {
  const serviceFor = (service: string): Pick<CredentialService, 'give' | 'look'> =>
    channels.owns(service) ? channels : tools
  return {
    refusal: tools.refusal,
    give: (service, ...given) => serviceFor(service).give(service, ...given),
    // A chat's credential opens the account that the owner proved, so it is connected anew instead.
    replace: (service, value) => tools.replace(service, value),
    look: (name, value) => serviceFor(name).look(name, value),
  }
}

export interface ReloadService {
  /** `listens`: whether the channel is connected now. Refusals: sink_unknown, config_malformed. */
  reload(channel: string): Promise<Result<{ readonly listens: boolean }>>
}

interface ReloadInput {
  readonly channels: readonly Pick<HomeChannel, 'declaration' | 'set' | 'activation'>[]
  readonly configNow: () => Result<Config>
  /** The connected chats have changed, so the assistant's description is out of date (H-14). */
  readonly changed: () => void
}

export function createReloadService({ channels, configNow, changed }: ReloadInput): ReloadService {
  return {
    async reload(name) {
      const channel = channels.find(({ declaration }) => declaration.name === name)
      if (channel === undefined || channel.activation === null) return err('sink_unknown')
      const config = configNow()
      if (!config.ok) return config
      const table = config.value.channels[name] ?? null
      await channel.set(table)
      changed()
      return ok({ listens: table !== null })
    },
  }
}

const reloadParams = z.strictObject({ channel: z.string().check(z.maxLength(32)) })

export function createChannelMethods(service: ReloadService): Methods {
  return { channel_reload: method(reloadParams, ({ channel }) => service.reload(channel)) }
}
