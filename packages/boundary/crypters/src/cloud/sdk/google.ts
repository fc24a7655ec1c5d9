/** The used part of the vendor's library; published packages bundle no more of it. */
export { GoogleAuth } from 'google-auth-library';
