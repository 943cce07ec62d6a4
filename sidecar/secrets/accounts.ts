/**
 * Whether the configured accounts are usable, according to the secret store: unseals nothing and calls no service
 * (invariant 4). Called by runtime.ts at the start, one part per account, and for the assistant's description of
 * itself.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ToolManifest } from '../../kernel/tool/manifest.ts'
import type { Config } from '../config/config.ts'
import type { BootPart } from '../home/boot.ts'
import { isBearer } from './secret.ts'
import type { SecretStore } from './secret-store.ts'
import { emulatorCredential, GOOGLE, vaultNameOf, vaultNames } from './vault-names.ts'

export interface AccountsInput {
  readonly config: Config
  readonly manifests: readonly ToolManifest[]
  readonly secrets: Pick<SecretStore, 'find'>
}

/** One part for each account that has a secret or that the configuration names. */
export function accountParts({ config, manifests, secrets }: AccountsInput): readonly BootPart[] {
  const { credential, accounts } = config.google
  const named = new Set([credential, ...accounts.map((one) => one.credential)])
  const names = new Set(manifests.flatMap((manifest) => vaultNames(config, manifest)))
  return [...names]
    .filter((name) => named.has(name) || secrets.find(name) !== null)
    .map((name) => ({
      name: `account ${name}`,
      run: () =>
        checkAccount(
          secrets,
          name,
          manifests.filter((manifest) => vaultNames(config, manifest).includes(name)),
        ),
    }))
}

/** Refusals: credential_missing, credential_mismatch (no tool may get it), credential_rejected. */
function checkAccount(
  secrets: AccountsInput['secrets'],
  name: string,
  manifests: readonly ToolManifest[],
): Result<true> {
  const secret = secrets.find(name)
  if (secret === null) return err('credential_missing', { credential: name })
  const fits = isBearer(secret.kind) && manifests.some((tool) => secret.scope.tools.includes(tool.name))
  if (!fits) return err('credential_mismatch', { credential: name })
  return worksStill(secret) ? ok(true) : err('credential_rejected', { credential: name })
}

/**
 * Whether a service accepted the credential of this manifest name and account when it was last used, as far as is known. Null for one that was never
 * set up, which is no failure. `account` null: the default one.
 */
export function accountWorks(
  { config, secrets }: Omit<AccountsInput, 'manifests'>,
  credential: string,
  account: string | null = null,
): boolean | null {
  const name = vaultNameOf(config, credential, account)
  const secret = name === null ? null : secrets.find(name)
  if (secret !== null) return worksStill(secret)
  if (emulatorCredential(config, credential, account) !== null) return true
  // Other accounts are known because the configuration names them.
  const isUnnamed = account === null && (credential !== GOOGLE || config.google.credential === null)
  return isUnnamed ? null : false
}

/** A rejected version still works if the former one exists, which is then used. */
function worksStill({ state, former }: { readonly state: string; readonly former: boolean }): boolean {
  return state !== 'rejected' || former
}
