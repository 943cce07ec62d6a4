/**
 * The secret service while home is not running: opens folder, lock, keys and store for one change and closes them. Must
 * not run beside a home. Called by `pfar secret` and, for the demo's account, by the start script.
 */
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { homeManifests } from '../home/home-tools.ts'
import type { AskPassphrase } from '../keys/custody.ts'
import { openHomeKeys, randomOfNode } from '../keys/home-keys.ts'
import { openHomeDatabase } from '../store/home-database.ts'
import { acquireInstanceLock } from '../store/instance-lock.ts'
import { openStateFolder, type StateFolder, stateFolderPath } from '../store/state-folder.ts'
import { createOfferService, type OfferService } from './offer-service.ts'
import { createSealingKey } from './sealing-key.ts'
import { openSecretFile } from './secret-file.ts'
import { createSecretService, type SecretService, type SecretServiceInput } from './secret-service.ts'
import { createSecretStore, type SecretStore } from './secret-store.ts'
import { vaultNames } from './vault-names.ts'

export interface OpenServiceInput {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ask: AskPassphrase
}

/** Direct access to the store, for the start script. */
export interface Within extends Pick<SecretServiceInput, 'audit'> {
  readonly secrets: SecretStore
}

/** Refusals: storage_failed (another home runs), config_malformed, those of the key ring, and of `work`. */
export async function atService<T>(
  input: OpenServiceInput,
  work: (secretService: SecretService, offers: OfferService, within: Within) => Promise<Result<T>>,
): Promise<Result<T>> {
  const folder = openStateFolder(stateFolderPath(input.env))
  if (!folder.ok) return folder
  const config = loadConfig(input.env, folder.value.path)
  if (!config.ok) return config
  const lock = acquireInstanceLock(folder.value)
  if (!lock.ok) return lock
  const closing: (() => void)[] = [() => lock.value.release()]
  try {
    const opened = await openOffers({ ...input, folder: folder.value, config: config.value, closing })
    return opened.ok ? await work(opened.value.secretService, opened.value.offers, opened.value) : opened
  } finally {
    for (const close of closing.reverse()) close()
  }
}

interface Opening extends OpenServiceInput {
  readonly folder: StateFolder
  readonly config: Config
  /** Closers, in the order in which their resources were opened. */
  readonly closing: (() => void)[]
}

async function openOffers(
  input: Opening,
): Promise<Result<Within & { readonly secretService: SecretService; readonly offers: OfferService }>> {
  const { folder, config, closing } = input
  const database = openHomeDatabase(folder.file('home.sqlite'))
  if (!database.ok) return database
  closing.push(() => database.value.close())
  const file = openSecretFile(folder)
  if (!file.ok) return file
  closing.push(() => file.value.close())
  const holdsRecords = database.value.holdsRecords() || file.value.rows().length > 0
  const keys = await openHomeKeys({ ...input, holdsRecords })
  if (!keys.ok) return keys
  closing.push(() => keys.value.close())
  const { ring, custody } = keys.value
  const secrets = createSecretStore({ file: file.value, ring, random: randomOfNode, now: Date.now })
  const { store } = database.value
  // Nothing leaves this process that could contain a value, so no redactor is needed.
  const learn = (): void => undefined
  const audit: SecretServiceInput['audit'] = (event) =>
    store.appendAudit({ ...event, at: Date.now(), place: 'home' })
  const namesOf: SecretServiceInput['namesOf'] = (manifest) => vaultNames(config, manifest)
  const secretService = createSecretService({
    ...{ secrets, custody, learn, audit, namesOf, now: Date.now },
    confirmKey: ring.ownKey('confirm'),
    manifests: homeManifests(config),
  })
  const offers = createOfferService({
    ...{ secretService, secrets, learn, audit, file: file.value.offers, now: Date.now },
    sealing: await createSealingKey(ring),
    tell: () => undefined,
  })
  return ok({ secretService, offers, secrets, audit })
}
