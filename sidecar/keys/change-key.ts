/**
 * Puts a master key into force: init (a new key in another custody), rotate (a new key in the same custody) and recover
 * (the same key from its phrase). Must not run beside home: the caller holds the instance lock. Called by `pfar key`.
 */
import { randomBytes } from 'node:crypto'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES } from '../../kernel/vault/cipher.ts'
import { tell } from '../language/wording.ts'
import {
  type Custody,
  type CustodyKind,
  type CustodyRecord,
  readCustodyRecord,
  writeCustodyRecord,
} from './custody.ts'
import { type Unlocked, type UnlockInput, unlock } from './home-keys.ts'
import { KEY_STORE_FILE } from './key-store.ts'
import type { OwnerTerminal } from './owner-terminal.ts'
import { confirmPhrase, masterOf, type PickPositions } from './recovery-phrase.ts'

export interface ChangeInput extends UnlockInput {
  readonly terminal: OwnerTerminal
  readonly pick?: PickPositions
}

/** Any custody except the development key, which is never chosen. */
export type ChosenCustody = Exclude<CustodyKind, 'development'>

const ID_BYTES = 8

/** A new master key in another custody; all records stay readable. Also changes a passphrase. */
export async function initKey(input: ChangeInput, kind: ChosenCustody): Promise<Result<Unlocked>> {
  const now = await unlock(input)
  if (!now.ok) return now
  const record = recordOf(kind, now.value.record)
  const custody = input.openCustody(record)
  const rehearsed = await rehearse(custody, record)
  if (!rehearsed.ok) return rehearsed
  const next = await confirmedKey(input)
  if (!next.ok && record.from !== undefined) await custody.remove()
  if (!next.ok) return next
  const written = await custody.write([now.value.master, next.value])
  if (!written.ok) return written
  const named = writeCustodyRecord(input.folder, record)
  return named.ok ? unlock({ ...input, openCustody: reusing(input, custody, record) }) : named
}

/** A new master key in the current custody. Refused for a development key, which has no recovery phrase. */
export async function rotateKey(input: ChangeInput): Promise<Result<Unlocked>> {
  const now = await unlock(input)
  if (!now.ok) return now
  const { custody, master, record } = now.value
  if (custody.kind === 'development') return stillDevelopment()
  const next = await confirmedKey(input)
  if (!next.ok) return next
  const written = await custody.write([master, next.value])
  return written.ok ? unlock({ ...input, openCustody: reusing(input, custody, record) }) : written
}

/**
 * Restores a master key from its phrase into a custody. Refusal: key_wrong, if the phrase is of another key or of one
 * that was rotated away.
 */
export async function recoverKey(
  input: UnlockInput,
  words: string,
  kind: ChosenCustody | null,
): Promise<Result<Unlocked>> {
  const master = masterOf(words)
  if (!master.ok) return master
  const { store, folder, openCustody } = input
  if (store.epoch() === 0) store.begin(master.value)
  if (!store.fits(master.value))
    return err('key_wrong', {
      file: KEY_STORE_FILE,
      problem: tell('key_setup.other_words'),
    })
  const now = readCustodyRecord(folder)
  const chosen = kind ?? (now.ok ? now.value.kind : null)
  if (chosen === null) return now.ok ? stillDevelopment() : now
  if (chosen === 'development') return stillDevelopment()
  const record: CustodyRecord =
    now.ok && now.value.kind === chosen ? now.value : recordOf(chosen, now.ok ? now.value : null)
  const custody = openCustody(record)
  const written = await custody.write([master.value])
  if (!written.ok) return written
  const named = writeCustodyRecord(folder, record)
  return named.ok ? unlock({ ...input, openCustody: reusing(input, custody, record) }) : named
}

/** Tests the custody with a random key, so that nobody writes down 24 words for a custody that cannot store them. */
async function rehearse(custody: Custody, { from }: CustodyRecord): Promise<Result<null>> {
  return from === undefined ? ok(null) : custody.write([new Uint8Array(randomBytes(KEY_BYTES))])
}

async function confirmedKey({ terminal, pick }: ChangeInput): Promise<Result<Uint8Array>> {
  const next = new Uint8Array(randomBytes(KEY_BYTES))
  const confirmed = await confirmPhrase(next, terminal, pick)
  return confirmed.ok ? ok(next) : confirmed
}

/** Passphrase and systemd custody use one fixed file each, which is overwritten: then there is no former one to remove. */
function recordOf(kind: ChosenCustody, now: CustodyRecord | null): CustodyRecord {
  const id = randomBytes(ID_BYTES).toString('hex')
  const keepsFormer = now !== null && (now.kind !== kind || kind === 'keychain')
  return { version: 1, kind, id, ...(keepsFormer ? { from: { kind: now.kind, id: now.id } } : {}) }
}

/** Reuses the custody that was just written, which knows its passphrase, so that it is not asked for twice. */
function reusing(
  { openCustody }: UnlockInput,
  custody: Custody,
  of: CustodyRecord,
): UnlockInput['openCustody'] {
  return (record) => (record.kind === of.kind && record.id === of.id ? custody : openCustody(record))
}

function stillDevelopment(): Result<never> {
  return err('key_unavailable', { file: 'dev.key', problem: tell('key_setup.still_development') })
}
