/** Where an edge's clock stands when its program is loaded: edge-start.ts writes this module anew for each edge. */
export const START: number = 0
