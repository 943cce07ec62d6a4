/** The result of the operations on working hours. Called by their files. */
import { number, record } from '../../../operations/shape.ts'

/** Minutes from midnight. */
export const HOURS = record({ from: number('internal'), to: number('internal') })
