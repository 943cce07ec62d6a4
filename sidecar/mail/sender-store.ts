/**
 * As whom the owner writes mail, as they set it in a chat or in the configuration: a sealed note of home. Must not send, or judge what was typed. Called by
 * powers.ts.
 */
import * as z from 'zod/mini'
import {
  NO_SENDER,
  type Sender,
  type SenderPort,
  type SenderView,
} from '../../kernel/features/sender/sender.ts'
import { parseJson } from '../../kernel/flow/json.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { SealAddress, Sealer } from '../../kernel/vault/sealer.ts'
import type { HomeNotes } from '../store/home-notes.ts'
import type { MailSettings } from './mail-settings.ts'

const ADDRESS: SealAddress = Object.freeze({
  ...{ store: 'memory', principal: OWNER_PRINCIPAL, record: 'mail:sender', label: 'sensitive', version: 1 },
} as const)

const text = z.nullable(z.string())
const sender = z.strictObject({ name: text, addresses: z.array(z.string()), standard: text, signature: text })
const stored = z.strictObject({ now: sender, before: z.nullable(sender) })

interface Kept {
  readonly now: Sender
  readonly before: Sender | null
}

interface SenderStoreInput {
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
  readonly mail: MailSettings | null
}

export function createSenderStore({ notes, sealer, mail }: SenderStoreInput): SenderPort {
  const configured: Sender = {
    ...{ ...NO_SENDER, name: mail?.name ?? null },
    ...{ addresses: mail?.also ?? [], signature: mail?.signature ?? null },
  }
  const account = mail?.address ?? null
  // Changes come one after another: each is made of what was there before it.
  let last: Promise<unknown> = Promise.resolve()
  const kept = async (): Promise<Kept> => {
    const sealed = notes.read('mailSender')
    const plain = sealed === null ? null : await sealer.open(ADDRESS, Buffer.from(sealed, 'base64'))
    const parsed =
      plain?.ok === true ? stored.safeParse(parseJson(new TextDecoder().decode(plain.value))) : null
    return parsed?.success === true ? parsed.data : { now: configured, before: null }
  }
  const keep = (next: (from: Kept) => Kept): Promise<SenderView> => {
    const change = async (): Promise<SenderView> => {
      const value = next(await kept())
      const bytes = await sealer.seal(ADDRESS, new TextEncoder().encode(JSON.stringify(value)))
      notes.write('mailSender', Buffer.from(bytes).toString('base64'))
      return { ...value.now, account }
    }
    const done = last.then(change)
    last = done.catch(() => undefined)
    return done
  }
  return {
    read: async () => ({ ...(await kept()).now, account }),
    change: (change) => keep(({ now }) => ({ now: { ...now, ...change }, before: now })),
    restore: () => keep(({ now, before }) => ({ now: before ?? now, before: now })),
  }
}
