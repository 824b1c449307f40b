/** Scaled to length 1, in place; one of zeros stays so. */
export function unitVector<T extends Float32Array>(vector: T): T {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return vector
  const inverse = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i]! *= inverse
  return vector
}
