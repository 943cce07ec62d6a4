/**
 * Phase A of home's start, in order (S000 §5, M-23): folder, configuration, lock, device key, database and its audit,
 * secrets, keys. Each is required, so a refusal ends the start. Must not open a listener. Called by runtime.ts.
 */
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Config, loadConfig, loadOwnConfig } from '../config/config.ts'
import type { AskPassphrase } from '../keys/custody.ts'
import { type HomeKeys, openHomeKeys } from '../keys/home-keys.ts'
import type { OpenCustody } from '../keys/open-custody.ts'
import { closeToOthers } from '../process/trusted-path.ts'
import { openSecretFile, type SecretFile } from '../secrets/secret-file.ts'
import { type HomeDatabase, openHomeDatabase } from '../store/home-database.ts'
import { acquireInstanceLock } from '../store/instance-lock.ts'
import { openStateFolder, type StateFolder, stateFolderPath } from '../store/state-folder.ts'
import { type DeviceKey, loadDeviceKey } from '../tunnel/device-key.ts'
import type { Boot, BootLine } from './boot.ts'

export interface FoundationInput {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Asks for the passphrase of the master key, if it has one. */
  readonly ask: AskPassphrase
  /** Reports an internal fault by the name of its part, never with data. */
  readonly onFault: (part: string) => void
  /** Writes a line to home's log; none by default. */
  readonly onLine?: (line: string) => void
  /** As in `HomeKeysInput`. */
  readonly openCustody?: OpenCustody
}

export interface Foundation extends Pick<FoundationInput, 'env'> {
  readonly folder: StateFolder
  readonly config: Config
  /** Reads the configuration file again. Refusals: config_malformed. */
  readonly configNow: () => Result<Config>
  readonly key: DeviceKey
  readonly database: HomeDatabase
  readonly secrets: SecretFile
  readonly keys: HomeKeys
  /** No record has ever been stored in this state folder. */
  readonly isNew: boolean
  /** Releases everything in reverse order. */
  close(): void
}

/** Refusals: storage_failed, config_malformed, record_malformed and key codes. Each names the problem. */
export async function layFoundation(boot: Boot, input: FoundationInput): Promise<Result<Foundation>> {
  const closers: (() => void)[] = []
  const close = (): void => {
    for (const one of closers.splice(0)) one()
  }
  const laid = await lay(boot, input, (closer) => void closers.unshift(closer))
  if (!laid.ok) close()
  return laid.ok ? ok({ ...laid.value, close }) : laid
}

async function lay(
  boot: Boot,
  { env, ask, onFault, openCustody }: FoundationInput,
  later: (close: () => void) => void,
): Promise<Result<Omit<Foundation, 'close'>>> {
  const folder = await boot.need('A', 'folder', () => openOwnFolder(stateFolderPath(env)))
  if (!folder.ok) return folder
  const config = await boot.need('A', 'configuration', () => loadConfig(env, folder.value.path))
  if (!config.ok) return config
  const lock = await boot.need('A', 'lock', () => acquireInstanceLock(folder.value))
  if (!lock.ok) return lock
  later(lock.value.release)
  const key = await boot.need('A', 'device key', () => loadDeviceKey(folder.value))
  if (!key.ok) return key
  const malformed = ({ table }: { readonly table: string }): void => onFault(`row of ${table}`)
  const database = await boot.need('A', 'database', () =>
    openHomeDatabase(folder.value.file('home.sqlite'), malformed),
  )
  if (!database.ok) return database
  later(database.value.close)
  boot.write((line) => auditBoot(database.value, line))
  const secrets = await boot.need('A', 'secrets', () => openSecretFile(folder.value))
  if (!secrets.ok) return secrets
  later(secrets.value.close)
  const isNew = !database.value.holdsRecords()
  const holdsRecords = !isNew || secrets.value.rows().length > 0
  const configNow = (): Result<Config> => loadOwnConfig(env, folder.value.path)
  const brought = openCustody === undefined ? {} : { openCustody }
  const opened = { folder: folder.value, config: config.value, configNow, key: key.value }
  const keys = await boot.need('A', 'keys', () =>
    openHomeKeys({ ...opened, env, ask, holdsRecords, ...brought }),
  )
  if (!keys.ok) return keys
  later(keys.value.close)
  return ok({
    ...{ ...opened, env },
    ...{ database: database.value, secrets: secrets.value, keys: keys.value, isNew },
  })
}

/** Removes other accounts' access to `config.toml`, which may have been written by hand (E-10). */
function openOwnFolder(path: string): Result<StateFolder> {
  const folder = openStateFolder(path)
  if (folder.ok) closeToOthers(folder.value.file('config.toml'), 'file')
  return folder
}

function auditBoot({ store }: HomeDatabase, { phase, part, state, code, ms }: BootLine): void {
  const nobody = { place: 'home', trace: null, task: null, principal: null } as const
  store.appendAudit({ at: Date.now(), kind: 'boot', ...nobody, facts: { phase, part, state, code, ms } })
}
