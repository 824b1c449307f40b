;; Loops over bytes, 16 at a time, on a memory that the caller hands in. Assemble after a change with
;;   npx --package wabt wat2wasm src/lib/simd.wat -o src/lib/simd.wasm
(module
  (import "caller" "memory" (memory 0))

  ;; Hamming distances: for each row from $row to $rowsEnd, the bits that differ from those between $pattern and
  ;; $patternEnd, written to $out as 16-bit numbers.
  (func (export "hammingDistances")
    (param $row i32) (param $rowsEnd i32) (param $pattern i32) (param $patternEnd i32) (param $out i32)
    (local $part i32) (local $sum v128)
    loop $rows
      (local.set $sum (v128.const i64x2 0 0))
      (local.set $part (local.get $pattern))
      loop $parts
        (v128.xor (v128.load align=1 (local.get $row)) (v128.load align=1 (local.get $part)))
        i8x16.popcnt
        i16x8.extadd_pairwise_i8x16_u
        local.get $sum
        i16x8.add
        local.set $sum
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.tee $part (i32.add (local.get $part) (i32.const 16)))
        local.get $patternEnd
        i32.lt_u
        br_if $parts
      end
      (local.set $sum (i32x4.extadd_pairwise_i16x8_s (local.get $sum)))
      local.get $out
      (i32.add
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32x4.extract_lane 2 (local.get $sum)))
        (i32x4.extract_lane 3 (local.get $sum)))
      i32.store16 align=1
      (local.set $out (i32.add (local.get $out) (i32.const 2)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $rowsEnd)))
    end)

  ;; What `matchTokens` compares passages with: see `beginMatch`.
  (global $table (mut i32) (i32.const 0))
  (global $dimensions (mut i32) (i32.const 0))
  (global $lengths (mut i32) (i32.const 0))
  (global $slots (mut i32) (i32.const 0))
  (global $query (mut i32) (i32.const 0))
  (global $queryEnd (mut i32) (i32.const 0))
  (global $queryLengths (mut i32) (i32.const 0))
  (global $floor (mut f64) (f64.const 0))
  (global $rowBytes (mut i32) (i32.const 0))
  (global $free (mut i32) (i32.const 0))
  (global $wide (mut i32) (i32.const 0))

  ;; Begins to match tokens with those of a question.
  ;;   $table: $dimensions signed bytes for each token; $lengths: its inverse length, 32-bit
  ;;   $slots: zeros, 32-bit, one for each token; $free: room for similarities, $rowBytes (a multiple of 16) for each token
  ;;   $query to $queryEnd: the question's tokens, $dimensions signed numbers of 16 bits each, and zeros up to a multiple of
  ;;   four tokens; $queryLengths: their inverse lengths as scaled by the caller, 64-bit; $floor: is subtracted from similarities
  ;;   $wide: room for $dimensions numbers of 16 bits
  (func (export "beginMatch")
    (param $table i32) (param $dimensions i32) (param $lengths i32) (param $slots i32)
    (param $query i32) (param $queryEnd i32) (param $queryLengths i32)
    (param $floor f64) (param $rowBytes i32) (param $free i32) (param $wide i32)
    (global.set $table (local.get $table))
    (global.set $dimensions (local.get $dimensions))
    (global.set $lengths (local.get $lengths))
    (global.set $slots (local.get $slots))
    (global.set $query (local.get $query))
    (global.set $queryEnd (local.get $queryEnd))
    (global.set $queryLengths (local.get $queryLengths))
    (global.set $floor (local.get $floor))
    (global.set $rowBytes (local.get $rowBytes))
    (global.set $free (local.get $free))
    (global.set $wide (local.get $wide)))

  ;; The best similarity of each token of the question with the tokens from $id to $idsEnd, 16 bits each and at least one,
  ;; written to $out as 32-bit floats. Similarities of a token are computed once for all passages of a question. Returns the
  ;; end of those that are known by now.
  (func (export "matchTokens") (param $id i32) (param $idsEnd i32) (param $out i32) (result i32)
    (local $slot i32) (local $row i32) (local $part i32) (local $outEnd i32)
    (local.set $outEnd (i32.add (local.get $out) (global.get $rowBytes)))
    (local.set $part (local.get $out))
    loop $clear
      (v128.store align=1 (local.get $part) (v128.const i64x2 0 0))
      (br_if $clear
        (i32.lt_u (local.tee $part (i32.add (local.get $part) (i32.const 16))) (local.get $outEnd)))
    end
    loop $tokens
      (local.set $slot
        (i32.add (global.get $slots) (i32.shl (i32.load16_u align=1 (local.get $id)) (i32.const 2))))
      (local.set $row (i32.load align=1 (local.get $slot)))
      (if (i32.eqz (local.get $row))
        (then
          (local.set $row (global.get $free))
          (i32.store align=1 (local.get $slot) (local.get $row))
          (global.set $free (i32.add (local.get $row) (global.get $rowBytes)))
          (call $similarities (i32.load16_u align=1 (local.get $id)) (local.get $row))))
      (local.set $part (local.get $out))
      loop $parts
        (v128.store align=1 (local.get $part)
          (f32x4.max (v128.load align=1 (local.get $part)) (v128.load align=1 (local.get $row))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $parts
          (i32.lt_u (local.tee $part (i32.add (local.get $part) (i32.const 16))) (local.get $outEnd)))
      end
      (br_if $tokens
        (i32.lt_u (local.tee $id (i32.add (local.get $id) (i32.const 2))) (local.get $idsEnd)))
    end
    global.get $free)

  ;; Similarities of a token to those of the question, at least 0, written to $out as 32-bit floats, four at a time. The bytes
  ;; of the token are widened once for all of them.
  (func $similarities (param $id i32) (param $out i32)
    (local $row i32) (local $left i32) (local $last i32) (local $right i32) (local $stride i32) (local $stride2 i32)
    (local $stride3 i32) (local $lengths i32)
    (local $part v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $row (i32.add (global.get $table) (i32.mul (local.get $id) (global.get $dimensions))))
    (local.set $stride (i32.shl (global.get $dimensions) (i32.const 1)))
    (local.set $stride2 (i32.shl (local.get $stride) (i32.const 1)))
    (local.set $stride3 (i32.add (local.get $stride) (local.get $stride2)))
    (local.set $left (global.get $wide))
    (local.set $last (i32.add (local.get $left) (local.get $stride)))
    loop $widen
      (local.set $part (v128.load align=1 (local.get $row)))
      (v128.store align=1 (local.get $left) (i16x8.extend_low_i8x16_s (local.get $part)))
      (v128.store offset=16 align=1 (local.get $left) (i16x8.extend_high_i8x16_s (local.get $part)))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $widen (i32.lt_u (local.tee $left (i32.add (local.get $left) (i32.const 32))) (local.get $last)))
    end
    (local.set $row (i32.add (global.get $lengths) (i32.shl (local.get $id) (i32.const 2))))
    (local.set $right (global.get $query))
    (local.set $lengths (global.get $queryLengths))
    loop $four
      (local.set $a (v128.const i64x2 0 0))
      (local.set $b (local.get $a))
      (local.set $c (local.get $a))
      (local.set $d (local.get $a))
      (local.set $left (global.get $wide))
      loop $parts
        (local.set $part (v128.load align=1 (local.get $left)))
        (local.set $a
          (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load align=1 (local.get $right)))))
        (local.set $b
          (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load align=1 (i32.add (local.get $right) (local.get $stride))))))
        (local.set $c
          (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load align=1 (i32.add (local.get $right) (local.get $stride2))))))
        (local.set $d
          (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (local.get $part) (v128.load align=1 (i32.add (local.get $right) (local.get $stride3))))))
        (local.set $right (i32.add (local.get $right) (i32.const 16)))
        (br_if $parts (i32.lt_u (local.tee $left (i32.add (local.get $left) (i32.const 16))) (local.get $last)))
      end
      ;; The four numbers of each sum are added, so that $a has the four inner products.
      (local.set $a (call $addHalves (local.get $a) (local.get $b)))
      (local.set $c (call $addHalves (local.get $c) (local.get $d)))
      (local.set $a
        (i32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c))))
      (v128.store align=1 (local.get $out)
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
          (call $scaled (local.get $a) (local.get $row) (local.get $lengths))
          (call $scaled
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $a) (local.get $a))
            (local.get $row)
            (i32.add (local.get $lengths) (i32.const 16)))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $lengths (i32.add (local.get $lengths) (i32.const 32)))
      (br_if $four
        (i32.lt_u
          (local.tee $right (i32.add (local.get $right) (local.get $stride3)))
          (global.get $queryEnd)))
    end)

  ;; The first and the second half of each sum, added: a number of $a, one of $b, and the same again.
  (func $addHalves (param $a v128) (param $b v128) (result v128)
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))

  ;; Two similarities of two products, by the 32-bit inverse length at $length and two of 64 bits at $queryLengths.
  (func $scaled (param $products v128) (param $length i32) (param $queryLengths i32) (result v128)
    (f32x4.demote_f64x2_zero
      (f64x2.max
        (v128.const i64x2 0 0)
        (f64x2.sub
          (f64x2.mul
            (f64x2.mul
              (f64x2.convert_low_i32x4_s (local.get $products))
              (f64x2.splat (f64.promote_f32 (f32.load align=1 (local.get $length)))))
            (v128.load align=1 (local.get $queryLengths)))
          (f64x2.splat (global.get $floor))))))
)
