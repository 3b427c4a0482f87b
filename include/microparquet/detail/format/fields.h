// Field ids of parquet.thrift, for writing and for reading.
#pragma once

namespace microparquet::format {

// Field that every struct reserves for extensions (BinaryProtocolExtensions.md).
inline constexpr int kExtensionField = 32767;
inline constexpr int kFooterExtensionField = kExtensionField - 1;  // see write_footer_tail()

struct StatisticsField {
  static constexpr int kMax = 1;  // deprecated
  static constexpr int kMin = 2;  // deprecated
  static constexpr int kNullCount = 3;
  static constexpr int kDistinctCount = 4;
  static constexpr int kMaxValue = 5;
  static constexpr int kMinValue = 6;
  static constexpr int kIsMaxValueExact = 7;
  static constexpr int kIsMinValueExact = 8;
  static constexpr int kNanCount = 9;
};

struct SchemaElementField {
  static constexpr int kType = 1;
  static constexpr int kTypeLength = 2;
  static constexpr int kRepetitionType = 3;
  static constexpr int kName = 4;
  static constexpr int kNumChildren = 5;
  static constexpr int kConvertedType = 6;
  static constexpr int kScale = 7;
  static constexpr int kPrecision = 8;
  static constexpr int kFieldId = 9;
  static constexpr int kLogicalType = 10;
};

// Members of the union LogicalType.
struct LogicalTypeField {
  static constexpr int kString = 1;
  static constexpr int kMap = 2;
  static constexpr int kList = 3;
  static constexpr int kEnum = 4;
  static constexpr int kDecimal = 5;
  static constexpr int kDate = 6;
  static constexpr int kTime = 7;
  static constexpr int kTimestamp = 8;
  static constexpr int kInteger = 10;
  static constexpr int kNull = 11;  // UNKNOWN
  static constexpr int kJson = 12;
  static constexpr int kBson = 13;
  static constexpr int kUuid = 14;
  static constexpr int kFloat16 = 15;
  static constexpr int kVariant = 16;
  static constexpr int kGeometry = 17;
  static constexpr int kGeography = 18;
};

struct DecimalTypeField {
  static constexpr int kScale = 1;
  static constexpr int kPrecision = 2;
};

// Members of TimeType and TimestampType.
struct TimeTypeField {
  static constexpr int kIsAdjustedToUtc = 1;
  static constexpr int kUnit = 2;
};

// Members of the union TimeUnit.
struct TimeUnitField {
  static constexpr int kMillis = 1;
  static constexpr int kMicros = 2;
  static constexpr int kNanos = 3;
};

struct IntTypeField {
  static constexpr int kBitWidth = 1;
  static constexpr int kIsSigned = 2;
};

struct PageHeaderField {
  static constexpr int kType = 1;
  static constexpr int kUncompressedPageSize = 2;
  static constexpr int kCompressedPageSize = 3;
  static constexpr int kCrc = 4;
  static constexpr int kDataPageHeader = 5;
  static constexpr int kIndexPageHeader = 6;
  static constexpr int kDictionaryPageHeader = 7;
  static constexpr int kDataPageHeaderV2 = 8;
};

struct DataPageHeaderField {
  static constexpr int kNumValues = 1;
  static constexpr int kEncoding = 2;
  static constexpr int kDefinitionLevelEncoding = 3;
  static constexpr int kRepetitionLevelEncoding = 4;
  static constexpr int kStatistics = 5;
};

struct DataPageHeaderV2Field {
  static constexpr int kNumValues = 1;
  static constexpr int kNumNulls = 2;
  static constexpr int kNumRows = 3;
  static constexpr int kEncoding = 4;
  static constexpr int kDefinitionLevelsByteLength = 5;
  static constexpr int kRepetitionLevelsByteLength = 6;
  static constexpr int kIsCompressed = 7;
  static constexpr int kStatistics = 8;
};

struct DictionaryPageHeaderField {
  static constexpr int kNumValues = 1;
  static constexpr int kEncoding = 2;
  static constexpr int kIsSorted = 3;
};

struct KeyValueField {
  static constexpr int kKey = 1;
  static constexpr int kValue = 2;
};

struct SortingColumnField {
  static constexpr int kColumnIdx = 1;
  static constexpr int kDescending = 2;
  static constexpr int kNullsFirst = 3;
};

struct ColumnMetaDataField {
  static constexpr int kType = 1;
  static constexpr int kEncodings = 2;
  static constexpr int kPathInSchema = 3;
  static constexpr int kCodec = 4;
  static constexpr int kNumValues = 5;
  static constexpr int kTotalUncompressedSize = 6;
  static constexpr int kTotalCompressedSize = 7;
  static constexpr int kKeyValueMetadata = 8;
  static constexpr int kDataPageOffset = 9;
  static constexpr int kIndexPageOffset = 10;
  static constexpr int kDictionaryPageOffset = 11;
  static constexpr int kStatistics = 12;
  static constexpr int kEncodingStats = 13;
  static constexpr int kBloomFilterOffset = 14;
  static constexpr int kBloomFilterLength = 15;
  static constexpr int kSizeStatistics = 16;
  static constexpr int kGeospatialStatistics = 17;
};

struct SizeStatisticsField {
  static constexpr int kUnencodedByteArrayDataBytes = 1;
  static constexpr int kRepetitionLevelHistogram = 2;
  static constexpr int kDefinitionLevelHistogram = 3;
};

struct ColumnChunkField {
  static constexpr int kFilePath = 1;
  static constexpr int kFileOffset = 2;
  static constexpr int kMetaData = 3;
  static constexpr int kOffsetIndexOffset = 4;
  static constexpr int kOffsetIndexLength = 5;
  static constexpr int kColumnIndexOffset = 6;
  static constexpr int kColumnIndexLength = 7;
  static constexpr int kCryptoMetadata = 8;
  static constexpr int kEncryptedColumnMetadata = 9;
};

struct RowGroupField {
  static constexpr int kColumns = 1;
  static constexpr int kTotalByteSize = 2;
  static constexpr int kNumRows = 3;
  static constexpr int kSortingColumns = 4;
  static constexpr int kFileOffset = 5;
  static constexpr int kTotalCompressedSize = 6;
  static constexpr int kOrdinal = 7;
};

struct FileMetaDataField {
  static constexpr int kVersion = 1;
  static constexpr int kSchema = 2;
  static constexpr int kNumRows = 3;
  static constexpr int kRowGroups = 4;
  static constexpr int kKeyValueMetadata = 5;
  static constexpr int kCreatedBy = 6;
  static constexpr int kColumnOrders = 7;
  static constexpr int kEncryptionAlgorithm = 8;
};

struct ColumnOrderField {
  static constexpr int kTypeOrder = 1;
  static constexpr int kIeee754TotalOrder = 2;
};

struct BloomFilterHeaderField {
  static constexpr int kNumBytes = 1;
  static constexpr int kAlgorithm = 2;
  static constexpr int kHash = 3;
  static constexpr int kCompression = 4;
};

struct PageLocationField {
  static constexpr int kOffset = 1;
  static constexpr int kCompressedPageSize = 2;
  static constexpr int kFirstRowIndex = 3;
};

struct OffsetIndexField {
  static constexpr int kPageLocations = 1;
  static constexpr int kUnencodedByteArrayDataBytes = 2;
};

struct ColumnIndexField {
  static constexpr int kNullPages = 1;
  static constexpr int kMinValues = 2;
  static constexpr int kMaxValues = 3;
  static constexpr int kBoundaryOrder = 4;
  static constexpr int kNullCounts = 5;
  static constexpr int kRepetitionLevelHistograms = 6;
  static constexpr int kDefinitionLevelHistograms = 7;
  static constexpr int kNanCounts = 8;
};

}  // namespace microparquet::format
