/**
 * The owner's sender name, addresses and signature for mail, as set in a chat or in the configuration: a sealed note of home.
 * Must not send, or validate what was typed. Called by powers.ts.
 */
import * as z from 'zod/mini'
import {
  NO_SENDER,
  type Sender,
  type SenderPort,
  type SenderView,
} from '../../kernel/features/sender/sender.ts'
import { createSealedNote, type SealedNotes } from '../store/sealed-note.ts'
import type { MailSettings } from './mail-settings.ts'

const text = z.nullable(z.string())
const addresses = z.readonly(z.array(z.string()))
const sender = z.strictObject({ name: text, addresses, standard: text, signature: text })
const stored = z.strictObject({ now: sender, before: z.nullable(sender) })

type Kept = z.output<typeof stored>

interface SenderStoreInput extends SealedNotes {
  readonly mail: MailSettings | null
  /** Address of the mailbox that sends by default, if it is not the first. */
  readonly standard?: string | undefined
}

export function createSenderStore({ mail, standard, ...sealed }: SenderStoreInput): SenderPort {
  const note = createSealedNote(sealed, { name: 'mailSender', record: 'mail:sender', shape: stored })
  const configured: Sender = {
    ...{ ...NO_SENDER, name: mail?.name ?? null },
    ...{ addresses: mail?.also ?? [], signature: mail?.signature ?? null },
  }
  const account = standard ?? mail?.address ?? null
  // Serialised: each change is based on the result of the one before.
  let last: Promise<unknown> = Promise.resolve()
  const kept = async (): Promise<Kept> => (await note.read()) ?? { now: configured, before: null }
  const keep = (next: (from: Kept) => Kept): Promise<SenderView> => {
    const change = async (): Promise<SenderView> => {
      const value = next(await kept())
      await note.write(value)
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
