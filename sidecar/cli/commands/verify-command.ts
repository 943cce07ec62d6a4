/**
 * `pfar backup verify`: checks hashes and signature without the passphrase; with it (`--open`), starts home from the
 * backup in a temporary folder (E-14, E-16). Must not show content, or write the master key to a disk. Called by
 * local/backup.ts.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { loadBackupKey } from '../../backup/make.ts'
import { type Backup, EDGE_PART, openBackup, verifyFiles, WHOLE } from '../../backup/open-backup.ts'
import { masterKeyOf } from '../../backup/restore.ts'
import { withStorage } from '../../backup/storage-trouble.ts'
import { type Proven, trialStart } from '../../backup/trial-start.ts'
import { readCustodyRecord } from '../../keys/custody-record.ts'
import { type KeyStore, openKeyStore } from '../../keys/key-store.ts'
import type { MasterNote } from '../../keys/master-note.ts'
import { custodyOpener } from '../../keys/open-custody.ts'
import { masterOf, PHRASE_WORDS } from '../../keys/recovery-phrase.ts'
import { openStateFolder, type StateFolder } from '../../store/state-folder.ts'
import { backupPlaces, failBackup, findBackup, noPassphrase } from '../backup-context.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { createPassphrasePrompt, type PassphrasePrompt } from '../passphrase.ts'

export interface VerifyOptions {
  readonly from: string | null
  readonly date: string | null
  readonly open: boolean
}

/** Also fails if the backup is intact but no new machine could open it. */
export async function backupVerify(context: CommandContext, options: VerifyOptions): Promise<ExitCode> {
  const places = backupPlaces(context, options.from)
  if (!places.ok) return failBackup(context, places.reason)
  const { state, shelf } = places.value
  const backup = await findBackup(shelf, options.date)
  if (!backup.ok) return failBackup(context, backup.reason)
  const folder = existsSync(state) ? openStateFolder(state) : null
  const trying = { backup: backup.value, folder: folder?.ok ? folder.value : null, context }
  const checked = options.open ? await openForCheck(trying) : await checkClosed(trying)
  if (!checked.ok) return failBackup(context, checked.reason)
  const { says, development } = checked.value
  context.screen.out(`${backup.value.name}: ${says}`)
  if (development) context.screen.err(ONLY_DEV_KEY)
  return development ? 1 : 0
}

const ONLY_DEV_KEY =
  'It was made under a development key: it opens only with the dev.key of that time, which is in no backup, and on no new machine without a copy of it. `pfar key init`, then `pfar backup now`, makes one that opens with its passphrase and 24 words.'

interface Trying {
  readonly backup: Backup
  /** The state folder of this machine, if there is one. */
  readonly folder: StateFolder | null
  readonly context: CommandContext
}

interface Checked {
  readonly says: string
  readonly development: boolean
}

async function checkClosed({ backup, folder }: Trying): Promise<Result<Checked>> {
  const whole = await verifyFiles(backup)
  if (!whole.ok) return whole
  const own = folder === null ? null : loadBackupKey(folder)
  const isOurs = own?.ok === true && own.value.verify === backup.key.verify
  const says = isOurs
    ? 'complete, unaltered and signed by this home; --open tries whether home starts from it'
    : 'complete; signed by the key beside it, which only the passphrase can confirm (--open)'
  return ok({ says, development: backup.manifest.masterKey?.development === true })
}

async function openForCheck(trying: Trying): Promise<Result<Checked>> {
  const prompt = createPassphrasePrompt({ input: process.stdin, output: process.stderr })
  try {
    const passphrase = await prompt.ask('Passphrase of the backup: ')
    if (passphrase === null) return { ok: false, reason: noPassphrase() }
    return await withStorage(trying.backup.name, async () => {
      const into = await mkdtemp(join(tmpdir(), 'pfar-verify-'))
      try {
        const opened = await openBackup(trying.backup, passphrase, { into, part: WHOLE })
        return opened.ok ? await startFrom({ ...trying, into, prompt }) : opened
      } finally {
        await rm(into, { recursive: true, force: true })
      }
    })
  } finally {
    prompt.close()
  }
}

interface Opened extends Trying {
  readonly into: string
  readonly prompt: PassphrasePrompt
}

async function startFrom(opened: Opened): Promise<Result<Checked>> {
  const { backup, into, context } = opened
  const note = masterKeyOf(backup, into)
  const edge = backup.manifest.files.filter(EDGE_PART).length
  const whole = `opens with this passphrase, and every store in it is whole${edge > 0 ? ` (${edge} of the edge)` : ''}`
  if (note.number === 0) return ok({ says: `${whole}; nothing in it is sealed yet`, development: false })
  const key = await keyFor(opened, note)
  if (!key.ok) {
    context.screen.out(`${backup.name}: ${whole}. Home was not started from it:`)
    return key
  }
  const proven = await trialStart({ path: into, master: key.value.master })
  key.value.master.fill(0)
  if (!proven.ok) return proven
  const says = `${whole}. Home started from it with ${key.value.from} and sent nothing: ${countsOf(proven.value)}`
  return ok({ says, development: note.development })
}

function countsOf({ turns, facts, results, files, secrets }: Proven): string {
  const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
  const opened = [
    some(turns, 'turn'),
    some(facts, 'fact'),
    some(results, 'result'),
    some(files, 'brain file'),
  ]
  return `${opened.join(', ')} opened; ${some(secrets, 'secret')} there`
}

interface FoundKey {
  readonly master: Uint8Array
  readonly from: string
}

/** The key of this machine if it fits, otherwise what the owner types: the words, or the passphrase of `master.key`. */
async function keyFor(opened: Opened, note: MasterNote): Promise<Result<FoundKey>> {
  const folder = openStateFolder(opened.into)
  const store = folder.ok ? openKeyStore(folder.value) : folder
  if (!store.ok) return store
  try {
    const own = await ownKey(opened, store.value, null)
    if (own !== null) return ok(own)
    if (note.development) return noDevelopmentKey()
    const typed = await opened.prompt.ask('Passphrase of the master key, or its 24 words: ')
    if (typed === null) return noKey('neither the passphrase of the master key nor its 24 words were given')
    return await typedKey(opened, store.value, typed)
  } finally {
    store.value.close()
  }
}

async function typedKey(opened: Opened, store: KeyStore, typed: string): Promise<Result<FoundKey>> {
  if (typed.trim().split(/\s+/).length < PHRASE_WORDS) {
    const own = await ownKey(opened, store, typed)
    return own === null ? noKey('that passphrase does not open the master key of this backup') : ok(own)
  }
  const master = masterOf(typed)
  if (!master.ok) return master
  if (store.fits(master.value)) return ok({ master: master.value, from: 'those 24 words' })
  return noKey('those words are of another master key: it takes those from when the backup was made')
}

/** The key in this machine's custody, if it opens this backup. `passphrase`: for a custody that needs one. */
async function ownKey(
  { folder, context }: Opened,
  store: KeyStore,
  passphrase: string | null,
): Promise<FoundKey | null> {
  const record = folder === null ? null : readCustodyRecord(folder)
  if (folder === null || !record?.ok) return null
  const { kind } = record.value
  if ((kind === 'passphrase') !== (passphrase !== null)) return null
  const ask = async (): Promise<string | null> => passphrase
  const opener = { folder, env: context.environment, ask, mayCreate: false, epoch: store.epoch() }
  const held = await custodyOpener(opener)(record.value).read()
  const master = held.ok ? held.value.find((key) => store.fits(key)) : undefined
  if (master === undefined) return null
  const from =
    kind === 'development' ? 'the dev.key of this machine' : `the master key of this machine (${kind})`
  return { master, from }
}

function noKey(problem: string): Result<never> {
  return err('key_wrong', { file: 'master key', problem })
}

function noDevelopmentKey(): Result<never> {
  const problem =
    'it lies under a development key that is not on this machine: put the dev.key of that time back, or take a newer backup'
  return err('key_unavailable', { file: 'dev.key', problem })
}
