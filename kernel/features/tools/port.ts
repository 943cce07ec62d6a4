/** Services as operations show and switch them. Types only. Called by the operations of this folder. */
import type { Result } from '../../flow/verdict.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'
import type { Checked } from '../credentials/credential-port.ts'

export const SERVICE_STATES = Object.freeze(['on', 'off', 'open'] as const)
export type ServiceState = (typeof SERVICE_STATES)[number]

export interface ServiceView {
  /** Name of the credential in the manifests. */
  readonly service: string
  readonly title: string
  /** `open`: not connected. */
  readonly state: ServiceState
}

export interface ToolSwitch {
  list(): readonly ServiceView[]
  /** `said`: its name, or a sentence with it. Null where no installed service is called so. */
  find(said: string): ServiceView | null
  /** By which the audit and an undo name it, and `find` knows it: of a host of the owner's own it says nothing. */
  auditName(service: string): string
  /** At once, because it narrows. Refusals: tool_unknown, credential_missing, nothing_found where it is off already. */
  off(said: string): Result<ServiceView & { readonly jobs: readonly number[] }>
  /** Sends an approval card. Refusals: tool_unknown, credential_missing, nothing_found where it is on, and those of a proposal. */
  on(proposer: Proposer, said: string): Promise<Result<ServiceView & Proposed>>
  /** Tries a connected service with one harmless call. Refusals: tool_unknown, credential_missing, service_off. */
  check(said: string): Promise<Result<ServiceView & Checked>>
  /**
   * Sends an approval card for deleting its credential. Refusals: tool_unknown, credential_missing where none is stored, tool_unavailable for the key
   * of a host, and those of a proposal.
   */
  remove(proposer: Proposer, said: string): Promise<Result<ServiceView & Proposed>>
}
