/**
 * The secrets of a home, wired: store, issuer, redactor, audit and the notice to the owner (E-06, E-07, E-11, E-18).
 * Must not decide anything. Called by runtime.ts.
 */
import type { CredentialSource } from '../../integrations/tools/credentials.ts'
import type { Store } from '../../kernel/powers/ports.ts'
import type { KeyRing } from '../../kernel/vault/key-ring.ts'
import type { Config } from '../config.ts'
import { standIn, vaultName } from '../home-tools.ts'
import { randomOfNode } from '../keys/home-keys.ts'
import { createCredentialIssuer } from './credential-issuer.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import type { SecretFile } from './secret-file.ts'
import { createSecretStore, type SecretStore } from './secret-store.ts'

export interface SecretVault {
  readonly secrets: SecretStore
  readonly credentials: CredentialSource
  readonly redactor: Redactor
  /** Lines of the audit pass the redactor before they are written. */
  readonly audited: Store
}

export interface SecretVaultInput {
  readonly config: Config
  readonly file: SecretFile
  readonly ring: KeyRing
  readonly store: Store
  readonly now: () => number
  /** A service said no to a version for the first time. */
  readonly rejected: (name: string, version: number) => void
}

export function createSecretVault(input: SecretVaultInput): SecretVault {
  const { config, file, ring, store, now, rejected } = input
  const secrets = createSecretStore({ file, ring, random: randomOfNode, now })
  const nobody = { place: 'home', trace: null, task: null, principal: null } as const
  const redactor = createRedactor((credential, at) =>
    store.appendAudit({ ...nobody, at: now(), kind: 'redaction', facts: { credential, sink: at } }),
  )
  const credentials = createCredentialIssuer({
    ...{ secrets, redactor, rejected, now },
    nameOf: (credential) => vaultName(config, credential),
    stand: (credential) => standIn(config, credential),
    audit: (event) => store.appendAudit({ ...event, at: now(), place: 'home' }),
  })
  const audited: Store = {
    ...store,
    appendAudit: (event) => store.appendAudit({ ...event, facts: redactor.data('audit', event.facts) }),
  }
  return { secrets, credentials, redactor, audited }
}
