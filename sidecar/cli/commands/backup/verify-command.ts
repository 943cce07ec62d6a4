/**
 * `pfar backup verify`: checks hashes and signature without the passphrase; with it (`--open`), starts home from the
 * backup in a temporary folder (E-14, E-16). Must not show content, or write the master key to a disk. Called by
 * local/home.ts.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, ok, type Result } from '../../../../kernel/flow/verdict.ts'
import { type Backup, EDGE_PART, openBackup, verifyFiles, WHOLE } from '../../../backup/backup.ts'
import { loadBackupKey } from '../../../backup/make.ts'
import { masterKeyOf } from '../../../backup/restore.ts'
import { type Proven, trialStart } from '../../../backup/trial-start.ts'
import { readCustodyRecord } from '../../../keys/custody.ts'
import type { MasterNote } from '../../../keys/key-status.ts'
import { type KeyStore, withKeyStore } from '../../../keys/key-store.ts'
import { custodyOpener } from '../../../keys/open-custody.ts'
import { masterOf, PHRASE_WORDS } from '../../../keys/recovery-phrase.ts'
import { openStateFolder, type StateFolder } from '../../../store/state-folder.ts'
import { withStorage } from '../../../store/storage-trouble.ts'
import type { CommandContext, ExitCode } from '../../command.ts'
import { type AskHidden, withHiddenInput } from '../../hidden-input.ts'
import { atBackups, type ChosenBackup, findBackup, noPassphrase } from './backup-context.ts'

/** Also fails if the backup is intact but no new machine could open it. */
export function backupVerify(
  context: CommandContext,
  options: ChosenBackup & { readonly open: boolean },
): Promise<ExitCode> {
  return atBackups(context, options, async ({ state, archive }) => {
    const backup = await findBackup(archive, options)
    if (!backup.ok) return backup
    const folder = existsSync(state) ? openStateFolder(state) : null
    const trying = { backup: backup.value, folder: folder?.ok ? folder.value : null, context }
    const checked = await (options.open ? openForCheck(trying) : checkClosed(trying))
    if (!checked.ok) return checked
    const { says, development } = checked.value
    context.screen.out(`${backup.value.name}: ${says}`)
    if (development) context.screen.err(ONLY_DEV_KEY)
    return ok(development ? 1 : 0)
  })
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

function openForCheck(trying: Trying): Promise<Result<Checked>> {
  return withHiddenInput(async (ask) => {
    const passphrase = await ask('Passphrase of the backup: ')
    if (passphrase === null) return noPassphrase()
    return withStorage(trying.backup.name, async () => {
      const into = await mkdtemp(join(tmpdir(), 'pfar-verify-'))
      try {
        const opened = await openBackup(trying.backup, passphrase, { into, part: WHOLE })
        return opened.ok ? await startFrom({ ...trying, into, ask }) : opened
      } finally {
        await rm(into, { recursive: true, force: true })
      }
    })
  })
}

interface Opened extends Trying {
  readonly into: string
  readonly ask: AskHidden
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
  if (!folder.ok) return folder
  return withKeyStore(folder.value, async (store) => {
    const own = await ownKey(opened, store, null)
    if (own !== null) return ok(own)
    if (note.development) return noDevelopmentKey()
    const typed = await opened.ask('Passphrase of the master key, or its 24 words: ')
    if (typed === null) return noKey('neither the passphrase of the master key nor its 24 words were given')
    return typedKey(opened, store, typed)
  })
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
