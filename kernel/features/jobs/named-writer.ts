/** The model that words what a job reads, as the job's card named it. Types only; its own file, as a proposed change has one too. */
export interface NamedWriter {
  readonly model: string
  /** Digest of where it is and what answers behind its name: another one asks again. */
  readonly version: string
}
