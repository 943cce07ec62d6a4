/**
 * Whose object this is. An object serves one principal for ever: the one its name was made from (B-02, B-10, R-01). A caller
 * that names another reached the wrong object, by mistake or on purpose, and learns nothing from it. Called by
 * PrincipalObject.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { objectName } from './names.ts'

const PRINCIPAL = 'principal'

export interface Claim {
  /** True for its own principal, which the first call makes known. Refusal: principal_not_allowed. */
  own(principal: string): Result<true>
  /** Undefined until somebody has called. */
  known(): string | undefined
  /** The name of this object. */
  name(): string
}

export interface ClaimInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put'>
  readonly nameKey: Uint8Array
  /** What the platform says that it was called by. */
  readonly calledBy: string | undefined
}

export function createClaim({ kv, nameKey, calledBy }: ClaimInput): Claim {
  let held: string | undefined
  const known = (): string | undefined => {
    held ??= kv.get<string>(PRINCIPAL)
    return held
  }
  return {
    known,
    name: () => objectName(nameKey, known() ?? ''),
    own(principal) {
      const owner = known()
      if (owner !== undefined) return owner === principal ? ok(true) : err('principal_not_allowed')
      if (calledBy !== objectName(nameKey, principal)) return err('principal_not_allowed')
      kv.put(PRINCIPAL, principal)
      return ok(true)
    },
  }
}
