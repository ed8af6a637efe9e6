/**
 * The sealed frame's two scripts, as a policy allows them by their SHA-256. Written down, since a page without HTTPS has
 * nothing to compute them with; a test holds them against the scripts.
 */
export const OUTER_SCRIPT_HASH = "'sha256-Jt6uHIXSvRwiZ+MnvOKs8Uuom6JKZSOhLszKjvEtG0A='";
export const INNER_SCRIPT_HASH = "'sha256-NqSfXMdA9u1QSaBM4I/4am/lxd0GZuy8Nkc3FJr2Ltc='";
